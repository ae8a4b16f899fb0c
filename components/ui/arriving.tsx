"use client";

import { useLinkStatus } from "next/link";
import { useEffect } from "react";

/** Delay before the skeleton appears, in milliseconds. */
const PATIENCE = 150;

/** Inside a link, shows the Skeleton while its page loads. */
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
 * Placeholder for a page that is loading. It appears in the old page. The framework's own placeholder would come first
 * in every response, and only scripts would replace it with the page.
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
