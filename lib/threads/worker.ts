import { type MessagePort, parentPort } from "node:worker_threads";
import { comparedTexts, shortened } from "@/lib/content/compare";
import { type Content, contentFromHtml } from "@/lib/content/content";
import { type DerivedText, derivedText } from "@/lib/content/derive";
import { contentFromMarkdown } from "@/lib/content/from-markdown";
import type { Snippets } from "@/lib/content/snippets";
import { markdownFromHtml } from "@/lib/content/to-markdown";
import { type StartedDocument, startDocument } from "@/lib/search/documents";
import { goAfterRequests } from "./priority";

// The threads of lib/threads/pool.ts.

goAfterRequests();

const port = parentPort as MessagePort;

type Format = "html" | "markdown";

/** Set for a new article, whose search document is started in the same job. */
type Named = { workspaceId: string; title: string } | null;

interface Written<Text> {
  content: Text;
  /** Names and counts of dropped elements, in alphabetical order. */
  dropped: [string, number][];
  started?: StartedDocument;
}

/** @param home the workspace's URL, which is removed from the URLs of images */
async function written(source: string, format: Format, home: string, named: Named): Promise<Written<Content>> {
  const counts = new Map<string, number>();
  const onDropped = (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
  const cleaned = (format === "html" ? contentFromHtml : contentFromMarkdown)(source, { onDropped });
  // Only tags match: clean HTML escapes "<" in text, such as in code that shows one, and quotes in attributes.
  const html = cleaned.html.replace(/<img(?:[^>"]|"[^"]*")*>/g, (tag) => tag.replace(` src="${home}/`, ' src="/'));
  const content = html === cleaned.html ? cleaned : contentFromHtml(html);
  const dropped = [...counts].sort();
  if (!named) return { content, dropped };
  return { content, dropped, started: await startDocument(named.workspaceId, { ...named, text: content.text }) };
}

const tasks = {
  clean: (html: string) => contentFromHtml(html),
  derive: (html: string, snippets: Snippets | null) =>
    derivedText(contentFromHtml(html), snippets, (plain: DerivedText) => port.postMessage({ plain })),
  write: written,
  writeLive: async (...source: Parameters<typeof written>): Promise<Written<DerivedText>> => {
    const text = await written(...source);
    const { dropped } = text;
    const content = await derivedText(text.content, null, (plain) =>
      port.postMessage({ plain: { content: plain, dropped } }),
    );
    return { ...text, content };
  },
  startDocument,
  compare: (before: string, after: string) => shortened(comparedTexts(before, after)),
  markdown: (html: string) => markdownFromHtml(html),
};

export type Tasks = typeof tasks;

async function work({ task, args }: { task: keyof Tasks; args: [never, never, never, never] }): Promise<void> {
  try {
    port.postMessage({ result: await tasks[task](...args) });
  } catch (error) {
    port.postMessage({ error });
  }
}

port.on("message", (job: Parameters<typeof work>[0]) => void work(job));
port.postMessage("ready");
