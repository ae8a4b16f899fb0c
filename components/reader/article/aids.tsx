"use client";

import { useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { CopyButton } from "@/components/ui/copy-button";
import type { Words } from "@/lib/reader/words";
import { say } from "@/lib/say";

/**
 * Adds copy buttons and copying heading links to the article above, copies it as Markdown, and removes tab stops where
 * nothing scrolls.
 */
export function Aids({ words, language }: { words: Words["copy"]; language: string }) {
  const here = useRef<HTMLSpanElement>(null);
  const [heads, setHeads] = useState<Element[]>([]);
  const [message, setMessage] = useState("");

  useEffect(() => {
    const article = here.current?.closest("article");
    if (!article) return;
    setHeads([...article.querySelectorAll(".code-head")]);

    const onClick = ({ target }: MouseEvent) => {
      if (!(target instanceof Element)) return;
      const link = target.closest<HTMLAnchorElement>("a.heading-link");
      // The clipboard requires https.
      if (link)
        (navigator.clipboard as Clipboard | undefined)?.writeText(link.href).then(
          () => setMessage(words.link),
          () => {},
        );
      const path = target.closest<HTMLElement>("[data-copy-page]")?.dataset.copyPage;
      if (path)
        copied(path).then(
          () => setMessage(words.copied),
          () => location.assign(path),
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
  }, [words]);

  useEffect(() => {
    if (!message) return;
    const timer = setTimeout(() => setMessage(""), 2000);
    return () => clearTimeout(timer);
  }, [message]);

  return (
    <span ref={here}>
      {heads.map((head, index) =>
        createPortal(<CopyButton label={say(language, words.code, { number: index + 1 })} words={words} />, head),
      )}
      <span role="status" className={message ? "toast" : "sr-only"}>
        {message}
      </span>
    </span>
  );
}

/** Safari copies only what was promised during the click. */
function copied(path: string): Promise<void> {
  const text = fetch(path).then(async (response) => {
    if (!response.ok) throw new Error(`${path} answered ${response.status}.`);
    return new Blob([await response.text()], { type: "text/plain" });
  });
  return navigator.clipboard.write([new ClipboardItem({ "text/plain": text })]);
}
