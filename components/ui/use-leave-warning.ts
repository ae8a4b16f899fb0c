"use client";

import { useEffect } from "react";

/**
 * Asks once before a link, a reload, or closing the tab loses changes. The browser reports reloads and closing, but not
 * links that change the page without loading it.
 * @param isChanged whether leaving would lose something
 */
export function useLeaveWarning(isChanged: boolean): void {
  useEffect(() => {
    if (!isChanged) return;
    const warning = new AbortController();
    const { signal } = warning;
    const ask = (event: MouseEvent) => {
      if (!leaves(event)) return;
      if (confirm("Leave without saving your changes?")) warning.abort();
      else event.preventDefault();
    };
    addEventListener("beforeunload", (event) => event.preventDefault(), { signal });
    // Before the link's own listener.
    document.addEventListener("click", ask, { capture: true, signal });
    return () => warning.abort();
  }, [isChanged]);
}

/** Whether a click opens another page of this site in this tab. */
function leaves({ target, button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>("a[href]") : null;
  if (!link || button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return false;
  if (link.hasAttribute("download") || !["", "_self"].includes(link.target)) return false;
  return link.origin === location.origin && link.pathname + link.search !== location.pathname + location.search;
}
