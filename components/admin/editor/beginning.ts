"use client";

import { useEffect, useState } from "react";
import { excerpt } from "@/lib/content/text";

/** How much of an article is read for its beginning, in characters, unless that has too few words. */
const HEAD = 20_000;

/** The description that readers' pages show if the article has none (lib/articles/derive.ts), shortly after a change. */
export function useBeginning(html: string): string {
  const [beginning, setBeginning] = useState("");
  useEffect(() => {
    let isOver = false;
    const timer = setTimeout(() => {
      // A large program, which pasting needs too.
      void import("@/lib/content/content").then(
        ({ contentFromHtml }) => {
          const head = excerpt(contentFromHtml(html.slice(0, HEAD)).text);
          const isAll = head.length > 200 || html.length <= HEAD;
          if (!isOver) setBeginning(isAll ? head : excerpt(contentFromHtml(html).text));
        },
        () => {},
      );
    }, 500);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [html]);
  return beginning;
}
