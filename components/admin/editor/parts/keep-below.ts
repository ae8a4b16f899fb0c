/** Height of the bar below the text and some more, in pixels. */
export const BELOW = 72;

/**
 * Keeps the cursor's line visible between the bars above and below the text. Both the browser and the editor scroll:
 * the browser when keys move the cursor, the editor when it changes text.
 * @param above the tools, which stick below the head of the page
 * @param margin the editor's own scroll margin, set to the covered height
 * @returns a function that stops it
 */
export function keepBelow(above: HTMLElement, margin: { top: number }): () => void {
  const page = document.documentElement;
  const observer = new ResizeObserver(() => {
    margin.top = Number.parseFloat(getComputedStyle(above).top) + above.offsetHeight + 8;
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
