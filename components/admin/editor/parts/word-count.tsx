"use client";

import type { Editor } from "@tiptap/core";
import { useEffect, useState } from "react";
import { countOf } from "@/components/ui/count";

/** Idle time before counting, in milliseconds. */
const PAUSE = 400;

export function WordCount({ editor }: { editor: Editor }) {
  const [count, setCount] = useState(() => wordsOf(editor));
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const later = () => {
      clearTimeout(timer);
      timer = setTimeout(() => setCount(wordsOf(editor)), PAUSE);
    };
    editor.on("update", later);
    return () => {
      clearTimeout(timer);
      editor.off("update", later);
    };
  }, [editor]);
  return <span className="shrink-0 px-2.5 text-text-muted tabular-nums">{countOf(count, "word")}</span>;
}

const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });

/** Counts by the language's rules, because some languages have no spaces. */
function wordsOf({ state: { doc } }: Editor): number {
  let count = 0;
  for (const { isWordLike } of segmenter.segment(doc.textBetween(0, doc.content.size, "\n", " "))) {
    if (isWordLike) count++;
  }
  return count;
}
