import { type MessagePort, parentPort } from "node:worker_threads";
import { comparedTexts, shortened } from "@/lib/content/compare";
import { type Content, contentFromHtml } from "@/lib/content/content";
import { type DerivedText, derivedText } from "@/lib/content/derive";
import { contentFromMarkdown } from "@/lib/content/from-markdown";
import { markdownFromHtml } from "@/lib/content/to-markdown";

// The threads of lib/content/pool.ts.

const port = parentPort as MessagePort;

type Format = "html" | "markdown";

/** Also counts the dropped elements by name, in alphabetical order. */
function written(source: string, format: Format): { content: Content; dropped: [string, number][] } {
  const dropped = new Map<string, number>();
  const onDropped = (name: string) => dropped.set(name, (dropped.get(name) ?? 0) + 1);
  const content = (format === "html" ? contentFromHtml : contentFromMarkdown)(source, { onDropped });
  return { content, dropped: [...dropped].sort() };
}

const tasks = {
  clean: (html: string) => contentFromHtml(html),
  derive: (html: string) => derivedText(contentFromHtml(html), (plain: DerivedText) => port.postMessage({ plain })),
  write: (source: string, format: Format) => written(source, format),
  writeLive: async (source: string, format: Format) => {
    const { content, dropped } = written(source, format);
    return {
      content: await derivedText(content, (plain) => port.postMessage({ plain: { content: plain, dropped } })),
      dropped,
    };
  },
  compare: (before: string, after: string) => shortened(comparedTexts(before, after)),
  markdown: (html: string) => markdownFromHtml(html),
};

export type Tasks = typeof tasks;

async function work({ task, args }: { task: keyof Tasks; args: [string, never] }): Promise<void> {
  try {
    port.postMessage({ result: await tasks[task](...args) });
  } catch (error) {
    port.postMessage({ error });
  }
}

port.on("message", (job: Parameters<typeof work>[0]) => void work(job));
port.postMessage("ready");
