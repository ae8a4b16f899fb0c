import { autoUpdate, computePosition, flip, offset, type Placement, shift } from "@floating-ui/dom";

/**
 * Keeps a box beside a position in the article, within its column, below the toolbar and inside the window. Sets styles
 * through the CSSOM, because the page's policy refuses style attributes.
 * @param context the article, which scrolls with the position
 * @param leaves hides the box when its position scrolls out of view, unless the box has the focus
 * @returns a function that stops it
 */
export function keepBeside(
  box: HTMLElement,
  at: () => DOMRect | null,
  context: Element,
  placement: Placement,
  leaves = false,
): () => void {
  let last = new DOMRect();
  const reference = {
    getBoundingClientRect: () => (last = at() ?? last),
    contextElement: context,
  };
  const tools = context.closest(".editor")?.querySelector(".editor-tools");
  return autoUpdate(reference, box, () => {
    const column = context.getBoundingClientRect();
    const top = Math.max(0, tools?.getBoundingClientRect().bottom ?? 0);
    const boundary = { x: column.x, y: top, width: column.width, height: Math.max(0, innerHeight - top) };
    box.style.maxWidth = `${column.width}px`;
    void computePosition(reference, box, {
      strategy: "fixed",
      placement,
      middleware: [offset(6), flip({ boundary, padding: { top: 4, bottom: 8 } }), shift({ boundary })],
    }).then(({ x, y }) => {
      box.style.left = `${x}px`;
      box.style.top = `${y}px`;
      const isSeen = last.bottom > top && last.top < innerHeight;
      if (leaves) box.style.visibility = isSeen || box.contains(document.activeElement) ? "" : "hidden";
    });
  });
}
