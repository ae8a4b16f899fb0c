import { openSearch } from "./search-dialog";
import { opensBySlash } from "./search-key";
import { logSearch } from "./search-log";
import type { DialogWords } from "./search-markup";
import { wordsOf } from "./words";

/** The first visible search field. */
const field = () =>
  [...document.querySelectorAll<HTMLInputElement>('form[role="search"] input[name="q"]')].find(
    (one) => one.getClientRects().length > 0,
  ) ?? null;

/**
 * Opens the search dialog on Ctrl+K, `/`, the search link on phones, or a click or typing in the search field, but not when
 * Tab reaches the field. Without scripts, the field works as a plain form.
 * @param dialog the element with the dialog's words
 */
export function startSearch(dialog: HTMLElement): void {
  const words = wordsOf<DialogWords>(dialog);
  let last: HTMLDialogElement | null = null;
  const open = (focused: Element | null) => {
    if (last?.open) return;
    // The browser may not have sent its close event yet.
    last?.dispatchEvent(new Event("close"));
    last = openSearch(words, field(), () => {
      last = null;
      if (focused instanceof HTMLElement) focused.focus();
    });
  };
  const onField = ({ target, type }: Event) => {
    const own = field();
    // Escape empties the field.
    if (target === own && (type !== "input" || own?.value !== "")) open(own);
  };
  document.addEventListener("keydown", (event) => {
    const isShortcut = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.altKey;
    const isSlash = event.key === "/" && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping(event.target);
    if (!(isShortcut || (isSlash && opensBySlash())) || event.defaultPrevented) return;
    event.preventDefault();
    open(document.activeElement);
  });
  document.addEventListener("input", onField);
  document.addEventListener("click", (event) => {
    if (!(event.target instanceof Element)) return;
    const opener = event.target.closest("[data-search-link]");
    if (opener) {
      event.preventDefault();
      return open(opener);
    }
    onField(event);
    logOpened(event.target);
  });
  // The reader typed before this script ran.
  const own = field();
  if (own && own === document.activeElement && own.value !== own.defaultValue) open(own);
}

/** Logs which result of the search page is opened. */
function logOpened(target: Element): void {
  const link = target.closest("[data-search] a");
  const search = link?.closest<HTMLElement>("[data-search]")?.dataset.search;
  if (!link || !search) return;
  const text = new URLSearchParams(location.search).get("q") ?? "";
  logSearch({ search, text, opened: link.getAttribute("href") ?? "" });
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.matches("input, textarea, select");
}
