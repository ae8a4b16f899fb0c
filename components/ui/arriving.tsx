"use client";

import { useLinkStatus } from "next/link";
import { useEffect } from "react";

/** How long a page may take before it is shown that it is on its way, in milliseconds. */
const PATIENCE = 150;

/** In a link, shows the page's Skeleton while the page it leads to is waited for. */
export function Arriving() {
  const { pending } = useLinkStatus();
  useEffect(() => {
    if (!pending) return;
    const main = document.querySelector("main");
    const timer = setTimeout(() => main?.setAttribute("aria-busy", "true"), PATIENCE);
    return () => {
      clearTimeout(timer);
      main?.removeAttribute("aria-busy");
    };
  }, [pending]);
  return null;
}

const widths = ["w-7/12", "w-5/12", "w-8/12", "w-6/12", "w-1/2", "w-4/12", "w-2/3", "w-1/3"];

/**
 * Stands in for a page that is on its way, with the heights of a heading and of rows. In the page that is left, and not as
 * the framework's own placeholder: that would come first in every answer, and only scripts would put the page in its place.
 */
export function Skeleton() {
  return (
    <div aria-hidden="true" className="skeleton">
      <div className="h-6 w-48 rounded-sm bg-border" />
      <div className="mt-2.5 h-4 w-72 max-w-full rounded-sm bg-border" />
      <div className="mt-8 grid">
        {widths.map((width) => (
          <div key={width} className="flex h-10 items-center border-b border-border">
            <div className={`h-3 rounded-sm bg-border ${width}`} />
          </div>
        ))}
      </div>
    </div>
  );
}
