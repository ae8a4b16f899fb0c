import { type MessagePort, parentPort } from "node:worker_threads";
import { comparedTexts, shortened } from "@/lib/content/compare";
import { contentFromHtml } from "@/lib/content/content";
import { type DerivedText, derivedText } from "@/lib/content/derive";
import { markdownFromHtml } from "@/lib/content/to-markdown";

// The threads of lib/content/pool.ts.

const port = parentPort as MessagePort;

const tasks = {
  clean: (html: string) => contentFromHtml(html),
  derive: (html: string) => derivedText(contentFromHtml(html), (plain: DerivedText) => port.postMessage({ plain })),
  compare: (before: string, after: string) => shortened(comparedTexts(before, after)),
  markdown: (html: string) => markdownFromHtml(html),
};

export type Tasks = typeof tasks;

async function work({ task, args }: { task: keyof Tasks; args: [string, string] }): Promise<void> {
  try {
    port.postMessage({ result: await tasks[task](...args) });
  } catch (error) {
    port.postMessage({ error });
  }
}

port.on("message", (job: Parameters<typeof work>[0]) => void work(job));
port.postMessage("ready");
