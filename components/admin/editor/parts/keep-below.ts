/** The room of what is said below the text while something waits for the writer (components/admin/writing/desk.tsx), in pixels. */
export const BELOW = 72;

/**
 * Keeps the line with the cursor between what stands above the text and below it while the page is scrolled: the browser moves the cursor by
 * keys, and the editor scrolls to what it changed.
 * @param margin of the editor's own scrolling, which is set to the covered height
 * @returns ends it
 */
export function keepBelow(above: HTMLElement, margin: { top: number }): () => void {
  const page = document.documentElement;
  const observer = new ResizeObserver(() => {
    margin.top = above.offsetHeight + 8;
    page.style.scrollPaddingTop = `${margin.top}px`;
    page.style.scrollPaddingBottom = `${BELOW}px`;
  });
  observer.observe(above);
  return () => {
    observer.disconnect();
    page.style.scrollPaddingTop = "";
    page.style.scrollPaddingBottom = "";
  };
}
