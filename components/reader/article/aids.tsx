"use client";

import { useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { CopyButton } from "@/components/ui/copy-button";

/** Adds copy buttons and copying heading links to the article above, and removes tab stops where nothing scrolls. */
export function Aids() {
  const here = useRef<HTMLSpanElement>(null);
  const [heads, setHeads] = useState<Element[]>([]);
  const [message, setMessage] = useState("");

  useEffect(() => {
    const article = here.current?.closest("article");
    if (!article) return;
    setHeads([...article.querySelectorAll(".code-head")]);

    const onClick = ({ target }: MouseEvent) => {
      const link = target instanceof Element ? target.closest<HTMLAnchorElement>("a.heading-link") : null;
      // The clipboard requires https.
      if (link)
        (navigator.clipboard as Clipboard | undefined)?.writeText(link.href).then(
          () => setMessage("Link copied"),
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
    if (!message) return;
    const timer = setTimeout(() => setMessage(""), 2000);
    return () => clearTimeout(timer);
  }, [message]);

  return (
    <span ref={here}>
      {heads.map((head, index) => createPortal(<CopyButton label={`code ${index + 1}`} />, head))}
      <span role="status" className={message ? "toast" : "sr-only"}>
        {message}
      </span>
    </span>
  );
}
