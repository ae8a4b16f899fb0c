import type { Branch, CategoryName } from "@/lib/reader/published-categories";
import type { Words } from "@/lib/reader/words";
import { say } from "@/lib/say";
import { wordsOf } from "./words";

/** Where the tree was when the last page was left (TreeScroll in tree-parts.tsx). */
const KEPT = "tree-scroll";
const MOST_FOUND = 50;

/** What the frame puts into the page. */
export type TreeWords = Pick<Words["tree"], "allOf" | "articles" | "failed" | "nothing"> & { language: string };

/** Opens categories in place, filters them by name, and remembers the scroll position. */
export function openInPlace(tree: HTMLElement): void {
  const words = wordsOf<TreeWords>(tree);
  for (const button of tree.querySelectorAll<HTMLButtonElement>("li > button")) {
    button.ariaLabel = button.parentElement?.querySelector("a > span")?.textContent ?? "";
    button.ariaExpanded ??= "false";
  }
  tree.addEventListener("click", ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLButtonElement>("li > button") : null;
    if (button) void toggle(button, words);
  });
  tree.addEventListener("toggle", () => tree.querySelector("[aria-current=page]")?.scrollIntoView({ block: "center" }));
  addEventListener("pagehide", () => {
    try {
      sessionStorage.setItem(KEPT, String(tree.scrollTop));
    } catch {
      // The tree scrolls to the current page only.
    }
  });

  let names: Promise<CategoryName[]> | undefined;
  const filter = tree.querySelector<HTMLInputElement>(".tree-filter input");
  const load = () => {
    names ??= asked<CategoryName[]>("/tree").catch(() => {
      names = undefined;
      return [];
    });
    return names;
  };
  filter?.addEventListener("focus", () => void load());
  filter?.addEventListener("input", () => void load().then((all) => show(filter, all, words)));
}

async function asked<Answer>(path: string): Promise<Answer> {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path} answered ${response.status}.`);
  return (await response.json()) as Answer;
}

async function toggle(button: HTMLButtonElement, words: TreeWords): Promise<void> {
  const opens = button.getAttribute("aria-expanded") !== "true";
  const known = button.nextElementSibling;
  if (known) {
    button.setAttribute("aria-expanded", String(opens));
    known.toggleAttribute("hidden", !opens);
    return;
  }
  const href = button.parentElement?.querySelector("a")?.getAttribute("href") ?? "";
  button.setAttribute("aria-busy", "true");
  const below = document.createElement("div");
  try {
    const { categories, articles, own, cut } = await asked<Branch>(href.replace("/categories/", "/tree/"));
    const list = document.createElement("ul");
    for (const one of categories) list.append(entry(`/categories/${one.slug}`, one.name, true));
    if (cut) list.append(more(href, say(words.language, words.allOf, { name: button.ariaLabel ?? "" })));
    for (const one of articles) list.append(entry(`/articles/${one.slug}`, one.title));
    if (articles.length < own) list.append(more(href, say(words.language, words.articles, { count: own })));
    below.append(list);
    button.setAttribute("aria-expanded", "true");
    // A second click may already have loaded the list.
    if (!button.parentElement?.querySelector(":scope > div")) button.after(below);
  } catch {
    button.title = words.failed;
  } finally {
    button.removeAttribute("aria-busy");
  }
}

function entry(href: string, name: string, opens = false): HTMLLIElement {
  const item = document.createElement("li");
  const link = document.createElement("a");
  const text = document.createElement("span");
  link.href = href;
  text.textContent = name;
  link.append(text);
  item.append(link);
  if (!opens) return item;
  const button = document.createElement("button");
  button.type = "button";
  button.ariaExpanded = "false";
  button.ariaLabel = name;
  item.append(button);
  return item;
}

function more(href: string, name: string): HTMLLIElement {
  const item = entry(href, name);
  item.querySelector("a")?.classList.add("more");
  return item;
}

/** Shows the categories with this text in their name, instead of the tree. */
function show(filter: HTMLInputElement, all: CategoryName[], words: TreeWords): void {
  const sought = folded(filter.value);
  const frame = filter.closest(".tree-filter");
  const [list, status] = [frame?.querySelector("ul"), frame?.querySelector("p")];
  if (!frame || !list || !status) return;
  const found = sought === "" ? [] : all.filter(({ name }) => folded(name).includes(sought)).slice(0, MOST_FOUND);
  list.replaceChildren(
    ...found.map(({ slug, name, above }) => {
      const item = entry(`/categories/${slug}`, name);
      const place = document.createElement("small");
      place.textContent = above;
      if (above) item.querySelector("span")?.append(place);
      return item;
    }),
  );
  list.hidden = found.length === 0;
  status.textContent = sought !== "" && found.length === 0 ? words.nothing : "";
  frame.toggleAttribute("data-filtering", sought !== "");
}

const folded = (text: string) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().trim();
