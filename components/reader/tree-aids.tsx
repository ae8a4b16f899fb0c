"use client";

import { useEffect, useRef } from "react";
import type { Branch, CategoryName } from "@/lib/reader/published-categories";
import type { Words } from "@/lib/reader/words";
import { say } from "@/lib/say";

/** Where the tree was when the last page was left. */
const KEPT = "tree-scroll";

/**
 * Scrolls the tree to where it was, and on to the current page if that is out of view, before the page is painted. The
 * script is the same on every page, so one CSP hash allows it.
 */
const scroll = `{const t=document.getElementById("_tree"),c=t.querySelector("[aria-current=page]");try{t.scrollTop=sessionStorage.getItem("${KEPT}")}catch{}if(c){const a=c.getBoundingClientRect(),b=t.getBoundingClientRect();if(a.top<b.top+64||a.bottom>b.bottom-32)t.scrollTop+=a.top-b.top-b.height/3}}`;

export function TreeScroll({ nonce }: { nonce: string | undefined }) {
  return <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: scroll }} />;
}

/** Needs scripts, and is hidden without. */
export function TreeFilter({ label }: { label: string }) {
  return (
    <div className="tree-filter">
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        autoComplete="off"
        spellCheck={false}
        className="block h-11 w-full rounded-sm border border-border-field bg-surface-raised px-3 text-base -outline-offset-1 placeholder:text-text-muted md:h-8 md:px-2.5 md:text-sm [&::-webkit-search-cancel-button]:hidden"
      />
      <ul hidden />
      <p role="status" />
    </div>
  );
}

const MOST_FOUND = 50;

/** Opens categories in place, filters them by name, and keeps the place where the tree is scrolled to. */
export function TreeAids({ words, language }: { words: Words["tree"]; language: string }) {
  const here = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const tree = here.current?.closest("nav");
    if (!tree) return;
    const stop = new AbortController();
    const { signal } = stop;

    tree.addEventListener(
      "click",
      ({ target }) => {
        const button = target instanceof Element ? target.closest<HTMLButtonElement>("button[data-of]") : null;
        if (button) void toggle(button, words, language);
      },
      { signal },
    );
    tree.addEventListener(
      "toggle",
      () => tree.querySelector("[aria-current=page]")?.scrollIntoView({ block: "center" }),
      { signal },
    );
    addEventListener(
      "pagehide",
      () => {
        try {
          sessionStorage.setItem(KEPT, String(tree.scrollTop));
        } catch {
          // The tree scrolls to the current page only.
        }
      },
      { signal },
    );

    let names: Promise<CategoryName[]> | undefined;
    const filter = tree.querySelector<HTMLInputElement>(".tree-filter input");
    const load = () => {
      names ??= asked<CategoryName[]>("/tree").catch(() => {
        names = undefined;
        return [];
      });
      return names;
    };
    filter?.addEventListener("focus", () => void load(), { signal });
    filter?.addEventListener("input", () => void load().then((all) => show(filter, all, words)), { signal });
    return () => stop.abort();
  }, [words, language]);
  return <span ref={here} hidden />;
}

async function asked<Answer>(path: string): Promise<Answer> {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path} answered ${response.status}.`);
  return (await response.json()) as Answer;
}

async function toggle(button: HTMLButtonElement, words: Words["tree"], language: string): Promise<void> {
  const opens = button.getAttribute("aria-expanded") !== "true";
  const known = button.nextElementSibling;
  if (known) {
    button.setAttribute("aria-expanded", String(opens));
    known.toggleAttribute("hidden", !opens);
    return;
  }
  const slug = button.dataset.of ?? "";
  const href = `/categories/${slug}`;
  button.setAttribute("aria-busy", "true");
  const below = document.createElement("div");
  try {
    const { categories, articles, own, cut } = await asked<Branch>(`/tree/${slug}`);
    const list = document.createElement("ul");
    for (const one of categories) list.append(entry(`/categories/${one.slug}`, one.name, one.slug));
    if (cut) list.append(more(href, say(language, words.allOf, { name: button.ariaLabel ?? "" })));
    for (const one of articles) list.append(entry(`/articles/${one.slug}`, one.title));
    if (articles.length < own) list.append(more(href, say(language, words.articles, { count: own })));
    below.append(list);
    button.setAttribute("aria-expanded", "true");
    // A second click may have brought them already.
    if (!button.parentElement?.querySelector(":scope > div")) button.after(below);
  } catch {
    button.title = words.failed;
  } finally {
    button.removeAttribute("aria-busy");
  }
}

function entry(href: string, name: string, opens?: string): HTMLLIElement {
  const item = document.createElement("li");
  const link = document.createElement("a");
  const text = document.createElement("span");
  link.href = href;
  text.textContent = name;
  link.append(text);
  item.append(link);
  if (opens === undefined) return item;
  const button = document.createElement("button");
  button.type = "button";
  button.ariaExpanded = "false";
  button.ariaLabel = name;
  button.dataset.of = opens;
  item.append(button);
  return item;
}

function more(href: string, name: string): HTMLLIElement {
  const item = entry(href, name);
  item.querySelector("a")?.classList.add("more");
  return item;
}

/** Shows the categories with this text in their name, instead of the tree. */
function show(filter: HTMLInputElement, all: CategoryName[], words: Words["tree"]): void {
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
