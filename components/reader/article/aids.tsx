"use client";

import { useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { CopyButton } from "@/components/ui/copy-button";

/**
 * What scripts add to the article above it, whose HTML stays as the server printed it: buttons that copy code, links to
 * headings that copy their address, and no stop of the keyboard at what needs no scrolling.
 */
export function Aids() {
  const here = useRef<HTMLSpanElement>(null);
  const [heads, setHeads] = useState<Element[]>([]);
  const [said, setSaid] = useState("");

  useEffect(() => {
    const article = here.current?.closest("article");
    if (!article) return;
    setHeads([...article.querySelectorAll(".code-head")]);

    const onClick = ({ target }: MouseEvent) => {
      const link = target instanceof Element ? target.closest<HTMLAnchorElement>("a.heading-link") : null;
      // Pages that are not served by https have no clipboard: there the link only leads to its heading.
      if (link)
        (navigator.clipboard as Clipboard | undefined)?.writeText(link.href).then(
          () => setSaid("Link copied"),
          () => {},
        );
    };
    article.addEventListener("click", onClick);

    const sizes = new ResizeObserver((entries) => {
      for (const { target } of entries) {
        if (target.scrollWidth > target.clientWidth) target.setAttribute("tabindex", "0");
        else target.removeAttribute("tabindex");
      }
    });
    for (const region of article.querySelectorAll("[role=region]")) sizes.observe(region);
    return () => {
      article.removeEventListener("click", onClick);
      sizes.disconnect();
    };
  }, []);

  useEffect(() => {
    if (!said) return;
    const timer = setTimeout(() => setSaid(""), 2000);
    return () => clearTimeout(timer);
  }, [said]);

  return (
    <span ref={here}>
      {heads.map((head, index) => createPortal(<CopyButton label={`code ${index + 1}`} />, head))}
      <span role="status" className={said ? "toast" : "sr-only"}>
        {said}
      </span>
    </span>
  );
}
