"use client";

import { useEffect, useState } from "react";
import { excerpt } from "@/lib/content/text";

/** Characters to read for the description. Reading continues if they hold too few words. */
const HEAD = 20_000;

/** The description that readers see if the article has none (lib/content/derive.ts), updated shortly after a change. */
export function useBeginning(html: string): string {
  const [beginning, setBeginning] = useState("");
  useEffect(() => {
    let isOver = false;
    const timer = setTimeout(() => {
      // A large module, shared with pasting.
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
