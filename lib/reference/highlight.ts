import rehypeStringify from "rehype-stringify";
import { unified } from "unified";
import { highlighted } from "@/lib/content/highlight";
import { type Language, languages, type Sample } from "./samples";

const printer = unified().use(rehypeStringify).freeze();

/** Replaces the workspace's URL in the cache, so that all workspaces share entries. */
const anyAddress = "https://your-subdomain.example.com";

const MAX_KEPT = 500;

const kept = new Map<string, Promise<string>>();

/** @param base the workspace's URL in the code */
export async function codeHtml(code: string, language: string, base: string): Promise<string> {
  const general = code.replaceAll(base, anyAddress);
  const name = `${language}\n${general}`;
  const html = kept.get(name) ?? highlightedHtml(general, language);
  if (kept.size >= MAX_KEPT) kept.clear();
  kept.set(name, html);
  return (await html).replaceAll(anyAddress, base);
}

async function highlightedHtml(code: string, language: string): Promise<string> {
  const children = (await highlighted(code, language)) ?? [{ type: "text" as const, value: code }];
  return printer.stringify({ type: "root", children });
}

const grammars: Record<Language, string> = { curl: "bash", javascript: "javascript", python: "python" };

export async function sampleHtml(sample: Sample, base: string): Promise<Record<Language, string>> {
  const pieces = await Promise.all(
    languages.map(async (language) => [language, await codeHtml(sample[language], grammars[language], base)] as const),
  );
  return Object.fromEntries(pieces) as Record<Language, string>;
}
