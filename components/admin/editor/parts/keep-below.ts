/**
 * Keeps the line with the cursor below what stands above the text while the page is scrolled: the browser moves the cursor by
 * keys, and the editor scrolls to what it changed.
 * @param margin of the editor's own scrolling, which is told how much room is taken
 * @returns ends it
 */
export function keepBelow(above: HTMLElement, margin: { top: number }): () => void {
  const page = document.documentElement;
  const observer = new ResizeObserver(() => {
    margin.top = above.offsetHeight + 8;
    page.style.scrollPaddingTop = `${margin.top}px`;
  });
  observer.observe(above);
  return () => {
    observer.disconnect();
    page.style.scrollPaddingTop = "";
  };
}
