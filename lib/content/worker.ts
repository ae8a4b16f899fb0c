import { type MessagePort, parentPort } from "node:worker_threads";
import { comparedTexts, shortened } from "@/lib/content/compare";
import { type Content, contentFromHtml } from "@/lib/content/content";
import { type DerivedText, derivedText } from "@/lib/content/derive";
import { contentFromMarkdown } from "@/lib/content/from-markdown";
import { markdownFromHtml } from "@/lib/content/to-markdown";

// The threads of lib/content/pool.ts.

const port = parentPort as MessagePort;

type Format = "html" | "markdown";

/**
 * Also counts the dropped elements by name, in alphabetical order.
 * @param home the workspace's own URL, which its images are stored without
 */
function written(source: string, format: Format, home: string): { content: Content; dropped: [string, number][] } {
  const dropped = new Map<string, number>();
  const onDropped = (name: string) => dropped.set(name, (dropped.get(name) ?? 0) + 1);
  const content = (format === "html" ? contentFromHtml : contentFromMarkdown)(source, { onDropped });
  // Only tags match: clean HTML escapes "<" in text, such as in code that shows one, and quotes in attributes.
  const html = content.html.replace(/<img(?:[^>"]|"[^"]*")*>/g, (tag) => tag.replace(` src="${home}/`, ' src="/'));
  return { content: html === content.html ? content : contentFromHtml(html), dropped: [...dropped].sort() };
}

const tasks = {
  clean: (html: string) => contentFromHtml(html),
  derive: (html: string) => derivedText(contentFromHtml(html), (plain: DerivedText) => port.postMessage({ plain })),
  write: (source: string, format: Format, home: string) => written(source, format, home),
  writeLive: async (source: string, format: Format, home: string) => {
    const { content, dropped } = written(source, format, home);
    return {
      content: await derivedText(content, (plain) => port.postMessage({ plain: { content: plain, dropped } })),
      dropped,
    };
  },
  compare: (before: string, after: string) => shortened(comparedTexts(before, after)),
  markdown: (html: string) => markdownFromHtml(html),
};

export type Tasks = typeof tasks;

async function work({ task, args }: { task: keyof Tasks; args: [string, never, never] }): Promise<void> {
  try {
    port.postMessage({ result: await tasks[task](...args) });
  } catch (error) {
    port.postMessage({ error });
  }
}

port.on("message", (job: Parameters<typeof work>[0]) => void work(job));
port.postMessage("ready");
