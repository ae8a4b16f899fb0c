import { copyCode, copyLook } from "@/components/ui/copy";
import type { Words } from "@/lib/reader/words";
import { say } from "@/lib/say";
import { create } from "./create";
import { wordsOf } from "./words";

/** What ArticleView puts into the page. */
export type ArticleWords = Words["copy"] & { language: string };

const SHOWN_MS = 2_000;

/**
 * Adds copy buttons to an article's code, copies the links of headings and the article as Markdown, and lets the keyboard
 * scroll what is wider than the page.
 * @param status says what was copied
 */
export function aidArticle(status: HTMLElement): void {
  const article = status.closest("article");
  if (!article) return;
  const words = wordsOf<ArticleWords>(status);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const show = (message: string) => {
    status.textContent = message;
    status.className = message ? "toast" : "sr-only";
    clearTimeout(timer);
    if (message) timer = setTimeout(show, SHOWN_MS, "");
  };

  for (const [index, head] of article.querySelectorAll(".code-head").entries()) {
    const { copy, copied, keys } = words;
    const button = create("button", { type: "button", className: copyLook, textContent: copy });
    Object.assign(button.dataset, { copy, copied, keys });
    button.ariaLabel = say(words.language, words.code, { number: index + 1 });
    head.append(button, create("span", { role: "status", className: "sr-only" }));
  }

  article.addEventListener("click", ({ target }) => {
    if (!(target instanceof Element)) return;
    const link = target.closest<HTMLAnchorElement>("a.heading-link");
    // The clipboard requires https.
    if (link)
      (navigator.clipboard as Clipboard | undefined)?.writeText(link.href).then(
        () => show(words.link),
        () => {},
      );
    const path = target.closest<HTMLElement>("[data-copy-page]")?.dataset.copyPage;
    if (path)
      copyPage(path).then(
        () => show(words.copied),
        () => location.assign(path),
      );
  });

  const sizes = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      if (target.scrollWidth > target.clientWidth) target.setAttribute("tabindex", "0");
      else target.removeAttribute("tabindex");
    }
  });
  for (const region of article.querySelectorAll("[role=region]")) sizes.observe(region);
}

/** Makes every CopyButton of the page work, including those that are added later. */
export function copyOnClick(): void {
  document.addEventListener("click", ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>("button[data-copy]") : null;
    if (button) void copyCode(button);
  });
}

/** Safari copies only what was promised during the click. */
async function copyPage(path: string): Promise<void> {
  const text = fetch(path).then(async (response) => {
    if (!response.ok) throw new Error(`${path} answered ${response.status}.`);
    return new Blob([await response.text()], { type: "text/plain" });
  });
  return navigator.clipboard.write([new ClipboardItem({ "text/plain": text })]);
}
