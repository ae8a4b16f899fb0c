import type { Words } from "@/lib/reader/words";
import { safe } from "./words";

/** What the SearchDialog component puts into the page. */
export type DialogWords = Words["dialog"] &
  Pick<Words["search"], "label" | "placeholder" | "count" | "corrected" | "nothing" | "hint" | "browse"> & {
    language: string;
    leave: string;
    popular: string;
    categories: string;
    /** Asks whether the reader needs a person. */
    help: string;
    contact: { href: string; text: string } | null;
  };

const group = "flex min-h-8 items-center px-3 text-sm text-text-muted";
const option = "w-full cursor-pointer rounded-sm px-3 text-start no-underline aria-selected:bg-highlight";
const line = `flex min-h-11 items-center gap-2.5 text-sm md:min-h-9 ${option}`;
const small = "size-4 shrink-0 text-text-muted";

/** Lucide's icons as SVG, because lucide-react needs React. */
const shapes = {
  search: '<path d="m21 21-4.34-4.34"/><circle cx="11" cy="11" r="8"/>',
  close: '<path d="M18 6 6 18"/><path d="m6 6 12 12"/>',
  recent: '<path d="M3 12a9 9 0 1 0 9-9 9.75 9.75 0 0 0-6.74 2.74L3 8"/><path d="M3 3v5h5"/><path d="M12 7v5l4 2"/>',
  article:
    '<path d="M6 22a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2h8a2.4 2.4 0 0 1 1.704.706l3.588 3.588A2.4 2.4 0 0 1 20 8v12a2 2 0 0 1-2 2z"/><path d="M14 2v5a1 1 0 0 0 1 1h5"/><path d="M10 9H8"/><path d="M16 13H8"/><path d="M16 17H8"/>',
  category:
    '<path d="M20 20a2 2 0 0 0 2-2V8a2 2 0 0 0-2-2h-7.9a2 2 0 0 1-1.69-.9L9.6 3.9A2 2 0 0 0 7.93 3H4a2 2 0 0 0-2 2v13a2 2 0 0 0 2 2Z"/>',
  section: '<path d="M4 9h16"/><path d="M4 15h16"/><path d="M10 3 8 21"/><path d="M16 3l-2 18"/>',
};

const icon = (shape: keyof typeof shapes, look: string) =>
  `<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true" class="${look}">${shapes[shape]}</svg>`;

/**
 * The dialog and the templates for its lines. The script fills elements with `data-part` and clones those with `data-copy`.
 */
export function searchMarkup(words: DialogWords): HTMLTemplateElement {
  const template = document.createElement("template");
  template.innerHTML = dialog(words) + copies();
  return template;
}

function dialog(words: DialogWords): string {
  const said = (
    name: { [Name in keyof DialogWords]: DialogWords[Name] extends string ? Name : never }[keyof DialogWords],
  ) => safe(words[name]);
  const keys = [
    ["↑↓", said("navigate")],
    ["↵", said("open")],
    ["esc", said("close")],
  ].map(
    ([key, name]) =>
      `<span><kbd class="rounded-sm border border-border px-1 font-sans text-[0.75rem]/5">${key}</kbd> ${name}</span>`,
  );
  const { contact } = words;
  const person = contact
    ? `<p class="mt-4 text-sm">${said("help")} <a href="${safe(contact.href)}" dir="auto" class="wrap-anywhere">${safe(contact.text)}</a></p>`
    : "";
  return `<dialog aria-label="${said("label")}" class="m-0 h-dvh max-h-none w-full max-w-none overflow-hidden bg-surface-raised text-text backdrop:bg-[oklch(0.2_0.01_70/0.45)] md:mx-auto md:mt-[10vh] md:h-[34rem] md:max-h-[78vh] md:w-[42rem] md:rounded-md md:border md:border-border md:shadow-[0_16px_48px_oklch(0_0_0/0.22)]">
<div class="flex h-full flex-col">
  <form action="/search" class="flex shrink-0 items-center border-b border-border ps-4 pe-2.5">
    ${icon("search", "size-5 shrink-0 text-text-muted")}
    <input name="q" role="combobox" aria-label="${said("label")}" aria-autocomplete="list" aria-expanded="false" aria-controls="_search-options" placeholder="${said("placeholder")}" required maxlength="200" inputmode="search" enterkeyhint="search" autocomplete="off" autocapitalize="off" spellcheck="false" class="h-14 min-w-0 flex-1 bg-transparent px-3 text-base outline-none placeholder:text-text-muted">
    <button type="button" data-part="close" aria-label="${said("leave")}" class="flex size-11 shrink-0 cursor-pointer items-center justify-center rounded-sm text-text-muted hover:text-text md:h-8 md:w-auto md:px-1.5">
      ${icon("close", "size-5 md:hidden")}
      <kbd aria-hidden="true" class="hidden rounded-sm border border-border px-1.5 font-sans text-[0.75rem]/5 md:block">esc</kbd>
    </button>
  </form>
  <div data-part="answer" class="min-h-0 flex-1 overflow-y-auto overscroll-contain">
    <p data-part="corrected" hidden class="px-5 pt-3 text-sm text-text-muted"></p>
    <p data-part="problem" hidden class="px-5 pt-4 text-sm"></p>
    <div data-part="recent" hidden class="flex items-center justify-between gap-4 px-2 pt-2">
      <p title="${said("recentNote")}" class="${group}">${said("recent")}</p>
      <button type="button" data-part="clear" class="h-8 shrink-0 cursor-pointer rounded-sm px-3 text-sm text-text-muted hover:text-text">${said("clear")}</button>
    </div>
    <div id="_search-options" data-part="options" role="listbox" aria-label="${said("label")}" class="marked px-2 py-2 empty:p-0"></div>
    <div data-part="nothing" hidden class="px-5 pt-3 pb-5 text-sm">
      <p data-part="nothing-text" class="text-base font-semibold wrap-anywhere"></p>
      <p class="mt-1 text-text-muted">${said("hint")}</p>
      ${person}
      <div data-part="browse">
        <p class="mt-4 font-medium">${said("browse")}</p>
        <ul data-part="categories" class="mt-1 grid sm:grid-cols-2 sm:gap-x-6"></ul>
      </div>
    </div>
  </div>
  <div class="flex min-h-11 shrink-0 items-center justify-between gap-x-6 border-t border-border px-4 text-sm text-text-muted">
    <p data-part="searching" hidden>${said("searching")}</p>
    <p data-part="keys" aria-hidden="true" class="hidden gap-4 md:flex">${keys.join("")}</p>
    <p data-part="total" hidden class="ms-auto flex flex-wrap items-center justify-end gap-x-4">
      <span data-part="count" class="tabular-nums"></span>
      <a data-part="all" href="/search" class="flex min-h-9 items-center hover:text-text">${said("all")}</a>
    </p>
  </div>
</div>
<p data-part="announcement" role="status" class="sr-only"></p>
</dialog>`;
}

function copies(): string {
  const named = '<span data-part="name" class="min-w-0 truncate"></span>';
  const link = (kind: "article" | "category") =>
    `<a data-copy="${kind}" role="option" tabindex="-1" class="${line}">${icon(kind, small)}${named}</a>`;
  return `<div data-copy="group" role="group" class="mb-2"><div aria-hidden="true" class="${group}"></div></div>
<div data-copy="recent" role="option" class="${line}">${icon("recent", small)}${named}</div>
${link("article")}${link("category")}
<a data-copy="result" role="option" tabindex="-1" class="block py-2.5 ${option}">
  <span data-part="title" class="marked-title block text-sm font-semibold wrap-anywhere"></span>
  <span data-part="category" class="block truncate text-sm text-text-muted"></span>
  <span data-part="section" class="flex items-center gap-1 text-sm text-text-muted">${icon("section", "size-3.5 shrink-0")}<span class="min-w-0 wrap-anywhere"></span></span>
  <span data-part="excerpt" class="mt-0.5 line-clamp-2 text-sm wrap-anywhere"></span>
</a>
<li data-copy="browse"><a class="flex min-h-10 items-center wrap-anywhere no-underline hover:underline"></a></li>`;
}
