"use client";

import {
  type ReactNode,
  type Ref,
  useCallback,
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useRef,
  useState,
} from "react";

/** The Markdown parser and writer are large, so they load only here and for pasting. */
const converters = () =>
  Promise.all([
    import("@/lib/content/content"),
    import("@/lib/content/from-markdown"),
    import("@/lib/content/to-markdown"),
  ]).then(([{ contentFromHtml }, { contentFromMarkdown }, { markdownFromHtml }]) => ({
    htmlFrom: (markdown: string) => contentFromMarkdown(markdown).html,
    markdownFrom: (html: string) => {
      const clean = contentFromHtml(html).html;
      const markdown = markdownFromHtml(clean);
      return contentFromMarkdown(markdown).html === clean ? markdown : null;
    },
  }));

const REFUSALS = {
  lossy: "Can't edit as Markdown. Markdown can't represent everything in this article.",
  missing: "Couldn't load the Markdown editor. Try again.",
};

/** How long the writer must pause before a change is reported, in milliseconds. */
const PAUSE = 500;

/**
 * The article's text as Markdown.
 * @param html is read once. Change the component's key to show another text.
 * @param onChange receives the article's HTML after each change, when the writer pauses or leaves the field
 * @param onRefuse receives a message if the text can't be shown as Markdown without loss. The text is unchanged.
 * @param ref reports the last change immediately
 * @param foot tools at the bottom of the window
 */
export function MarkdownEditor({
  html,
  onChange,
  onRefuse,
  ref,
  foot,
  children,
}: {
  html: string;
  onChange: (html: string) => void;
  onRefuse: (why: string) => void;
  ref: Ref<{ settle: () => void }>;
  foot: ReactNode;
  children: ReactNode;
}) {
  const [initial] = useState(html);
  const [markdown, setMarkdown] = useState<string | null>(null);
  const work = useRef({
    typed: null as string | null,
    timer: undefined as ReturnType<typeof setTimeout> | undefined,
    htmlFrom: (markdown: string) => markdown,
  });
  const refuse = useEffectEvent(onRefuse);
  useEffect(() => {
    let isOver = false;
    converters().then(
      ({ htmlFrom, markdownFrom }) => {
        if (isOver) return;
        work.current.htmlFrom = htmlFrom;
        const written = markdownFrom(initial);
        if (written === null) refuse(REFUSALS.lossy);
        else setMarkdown(written);
      },
      () => !isOver && refuse(REFUSALS.missing),
    );
    return () => {
      isOver = true;
    };
  }, [initial]);

  const report = useCallback(() => {
    const { typed, timer, htmlFrom } = work.current;
    clearTimeout(timer);
    if (typed === null) return;
    work.current.typed = null;
    onChange(htmlFrom(typed));
  }, [onChange]);
  useEffect(() => {
    addEventListener("pagehide", report);
    return () => removeEventListener("pagehide", report);
  }, [report]);
  useImperativeHandle(ref, () => ({ settle: report }), [report]);
  useEffect(() => {
    const { current } = work;
    return () => clearTimeout(current.timer);
  }, []);

  return (
    <div className="flex grow flex-col">
      <div className="column grow">
        {children}
        {markdown === null ? (
          <p role="status" className="py-3 text-sm text-text-muted">
            Loading…
          </p>
        ) : (
          <textarea
            // biome-ignore lint/a11y/noAutofocus: the writer has just asked for this field
            autoFocus
            aria-label="Article as Markdown"
            value={markdown}
            onChange={({ target: { value } }) => {
              setMarkdown(value);
              work.current.typed = value;
              clearTimeout(work.current.timer);
              work.current.timer = setTimeout(report, PAUSE);
            }}
            onBlur={report}
            onKeyDown={({ key, ctrlKey, metaKey }) => {
              // The page saves after this.
              if (key.toLowerCase() === "s" && (ctrlKey || metaKey)) report();
            }}
            spellCheck
            className="markdown-source block w-full resize-none bg-transparent py-3 font-mono text-base outline-none md:text-code"
          />
        )}
      </div>
      <footer className="sticky bottom-0 z-20 flex h-11 items-center gap-1 border-t border-border bg-surface px-2 text-sm md:h-9 md:px-4 print:hidden">
        <span className="px-2.5 text-text-muted">Markdown</span>
        <span className="ml-auto flex">{foot}</span>
      </footer>
    </div>
  );
}
