import { movedBy } from "@/components/ui/list-keys";
import { say } from "@/lib/say";
import { copyOf } from "./create";
import { forgetRecentSearches, keepRecentSearch, recentSearches } from "./recent-searches";
import { type Answers, askWhileTyping, type Link, type Start, type Suggestions, startOfSearch } from "./search-answers";
import { searchLog } from "./search-history";
import { type DialogWords, searchMarkup } from "./search-markup";

/** Delay before screen readers announce results, so that they do not interrupt typing. */
const ANNOUNCE_MS = 400;

/**
 * Shows results while the reader types. The first result is selected once the results match the text.
 * @param field the page's search field, whose text and cursor are taken over
 */
export function openSearch(
  words: DialogWords,
  field: HTMLInputElement | null,
  onClose: () => void,
): HTMLDialogElement | null {
  const parts = copyOf(searchMarkup(words));
  const dialog = parts.querySelector("dialog");
  const input = parts.querySelector("input");
  if (!dialog || !input) return null;
  const part = (name: string) => find(dialog, `[data-part="${name}"]`);
  const copy = (name: string) => find(parts, `[data-copy="${name}"]`).cloneNode(true) as HTMLElement;
  const list = part("options");
  const log = searchLog();

  let answers: Answers = { found: null, waits: "no", problem: null };
  let start: Start = { popular: [], categories: [] };
  /** Null until a reader marks another option. */
  let marked: number | null = null;
  let options: HTMLElement[] = [];
  /** The data that the list shows now. The list is rebuilt only when this changes. */
  let shown: unknown = null;
  let announcing: ReturnType<typeof setTimeout> | undefined;

  const isEmpty = () => input.value.trim() === "";
  const active = () => marked ?? (!isEmpty() && answers.waits === "no" && options.length > 0 ? 0 : -1);

  const mark = () => {
    const current = active();
    for (const [index, option] of options.entries()) option.ariaSelected = String(index === current);
    const option = options[current];
    input.ariaExpanded = String(options.length > 0);
    if (option) input.setAttribute("aria-activedescendant", option.id);
    else input.removeAttribute("aria-activedescendant");
    option?.scrollIntoView({ block: "nearest" });
  };
  const line = (kind: "recent" | "article" | "category", name: string) => {
    const option = copy(kind);
    find(option, '[data-part="name"]').textContent = name;
    return option;
  };
  const group = (name: string, lines: HTMLElement[]) => {
    if (lines.length === 0) return [];
    const element = copy("group");
    element.ariaLabel = name;
    const head = find(element, "div");
    head.textContent = name;
    // The dialog already shows this heading, next to the Clear button.
    if (name === words.recent) head.remove();
    element.append(...lines);
    return [element];
  };
  const linkLine = (kind: "article" | "category") => (link: Link) => {
    const option = line(kind, link.name);
    option.setAttribute("href", link.url);
    return option;
  };
  const offer = () => {
    const recent = recentSearches().map((text) => {
      const option = line("recent", text);
      option.addEventListener("click", () => {
        type(text);
        input.focus();
      });
      return option;
    });
    part("recent").hidden = recent.length === 0;
    return [
      ...group(words.recent, recent),
      ...group(words.popular, start.popular.map(linkLine("article"))),
      ...group(words.categories, start.categories.map(linkLine("category"))),
    ];
  };
  const result = (
    { url, titleHtml, sectionHtml, category, excerptHtml }: Suggestions["results"][number],
    text: string,
  ) => {
    const option = copy("result") as HTMLAnchorElement;
    option.setAttribute("href", url);
    find(option, '[data-part="title"]').innerHTML = titleHtml;
    find(option, '[data-part="category"]').textContent = category;
    find(option, '[data-part="excerpt"]').innerHTML = excerptHtml;
    const section = find(option, '[data-part="section"]');
    if (sectionHtml) find(section, "span").innerHTML = sectionHtml;
    else section.remove();
    option.addEventListener("click", () => {
      log.open(text, url);
      keepRecentSearch(text);
      // A link to this page doesn't load a new one, so close the dialog.
      if (option.pathname === location.pathname) dialog.close();
    });
    return option;
  };

  const draw = () => {
    const { found, waits, problem } = isEmpty() ? { found: null, waits: "no", problem: null } : answers;
    log.show(found?.text ?? null, input.value);
    const now = isEmpty() ? start : (found ?? answers);
    if (now !== shown) {
      shown = now;
      if (!isEmpty()) part("recent").hidden = true;
      list.replaceChildren(...(isEmpty() ? offer() : (found?.results.map((one) => result(one, found.text)) ?? [])));
      options = [...list.querySelectorAll<HTMLElement>("[role=option]")];
      for (const [index, option] of options.entries()) option.id = `_search-option-${index}`;
    }
    mark();

    const corrected = found?.correctedTerm ? say(words.language, words.corrected, { term: found.correctedTerm }) : "";
    const count = found ? say(words.language, words.count, { count: found.total }) : "";
    const nothing = found?.total === 0 ? say(words.language, words.nothing, { text: found.text }) : "";
    show(part("corrected"), corrected);
    show(part("problem"), problem ?? "");
    part("nothing").hidden = nothing === "";
    part("nothing-text").textContent = nothing;
    part("browse").hidden = found?.categories.length === 0;
    part("categories").replaceChildren(...(found?.categories ?? []).map(browseLine));
    part("answer").ariaBusy = String(waits !== "no");
    part("searching").hidden = waits !== "long";
    part("keys").hidden = waits === "long";
    part("total").hidden = !found || found.total === 0;
    part("count").textContent = count;
    part("all").setAttribute("href", `/search?${new URLSearchParams({ q: input.value.trim() }).toString()}`);

    clearTimeout(announcing);
    const answer = nothing || (corrected ? `${count}. ${corrected}` : count);
    const announced = problem ?? (waits === "no" ? answer : "");
    announcing = setTimeout(() => {
      part("announcement").textContent = announced;
    }, ANNOUNCE_MS);
  };
  const browseLine = ({ name, url }: Link) => {
    const item = copy("browse");
    const link = find(item, "a");
    link.setAttribute("href", url);
    link.textContent = name;
    return item;
  };

  const asking = askWhileTyping(words.failed, (next) => {
    answers = next;
    draw();
  });
  const type = (text: string) => {
    if (input.value !== text) input.value = text;
    // The close event can arrive after the reader types in the field again.
    if (field) field.value = text;
    marked = null;
    asking.ask(text);
  };
  const toAll = () => {
    // The results page logs the search.
    log.drop();
    keepRecentSearch(input.value.trim());
  };

  input.addEventListener("input", () => type(input.value));
  input.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    const next = movedBy(event.key, active(), options.length);
    if (next !== null) {
      event.preventDefault();
      marked = next;
      mark();
    } else if (event.key === "Enter" && active() >= 0) {
      event.preventDefault();
      options[active()]?.click();
    }
  });
  list.addEventListener("pointermove", ({ target }) => {
    const at = options.findIndex((option) => target instanceof Node && option.contains(target));
    if (at < 0 || at === marked) return;
    marked = at;
    mark();
  });
  find(dialog, "form").addEventListener("submit", toAll);
  part("all").addEventListener("click", toAll);
  part("close").addEventListener("click", () => dialog.close());
  part("clear").addEventListener("click", () => {
    forgetRecentSearches();
    shown = null;
    marked = null;
    draw();
    input.focus();
  });
  // A click on the backdrop.
  dialog.addEventListener("click", ({ target }) => target === dialog && dialog.close());
  const end = () => {
    clearTimeout(announcing);
    asking.stop();
    log.end();
    dialog.remove();
    onClose();
  };
  // Once, because reopening search can send the event before the browser does.
  dialog.addEventListener("close", end, { once: true });

  document.body.append(dialog);
  const isTyping = field !== null && document.activeElement === field;
  const cursor = isTyping ? ([field.selectionStart, field.selectionEnd] as const) : null;
  dialog.showModal();
  input.value = field?.value ?? "";
  if (cursor) input.setSelectionRange(...cursor);
  else input.select();
  type(input.value);
  void startOfSearch().then((known) => {
    start = known;
    draw();
  });
  return dialog;
}

function show(element: HTMLElement, text: string): void {
  element.hidden = text === "";
  element.textContent = text;
}

/** An element of the template, which is always there. */
function find(within: ParentNode, selector: string): HTMLElement {
  return within.querySelector(selector) as HTMLElement;
}
