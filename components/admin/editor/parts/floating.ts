import { autoUpdate, computePosition, flip, offset, type Placement, shift } from "@floating-ui/dom";

/**
 * Keeps a box beside a place of the window, and inside the window. By the style's own interface, which the page's policy
 * allows, where it refuses a style attribute.
 * @param context what scrolls with the place
 * @returns ends it
 */
export function keepBeside(
  box: HTMLElement,
  at: () => DOMRect | null,
  context: Element,
  placement: Placement,
): () => void {
  let last = new DOMRect();
  const reference = {
    getBoundingClientRect: () => (last = at() ?? last),
    contextElement: context,
  };
  return autoUpdate(reference, box, () => {
    void computePosition(reference, box, {
      strategy: "fixed",
      placement,
      middleware: [offset(6), flip({ padding: 8 }), shift({ padding: 8 })],
    }).then(({ x, y }) => {
      box.style.left = `${x}px`;
      box.style.top = `${y}px`;
    });
  });
}
