"use client";

import { type ReactNode, useEffect, useRef } from "react";

/** A row of links to views, which scrolls to the current view. @param children list items */
export function TabStrip({ label, look, children }: { label: string; look: string; children: ReactNode }) {
  const strip = useRef<HTMLElement>(null);
  useEffect(() => {
    const { current: nav } = strip;
    const tab = nav?.querySelector("[aria-current]");
    if (!nav || !tab || nav.scrollWidth <= nav.clientWidth) return;
    const [outer, inner] = [nav.getBoundingClientRect(), tab.getBoundingClientRect()];
    if (inner.left < outer.left || inner.right > outer.right)
      nav.scrollLeft += inner.left - outer.left - (outer.width - inner.width) / 2;
  });
  return (
    <nav ref={strip} aria-label={label} className={`${look} overflow-x-auto border-b border-border print:hidden`}>
      <ul className="flex gap-1">{children}</ul>
    </nav>
  );
}
