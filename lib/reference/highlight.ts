import rehypeStringify from "rehype-stringify";
import { unified } from "unified";
import { highlighted } from "@/lib/content/highlight";
import { type Language, languages, type Sample } from "./samples";

const printer = unified().use(rehypeStringify).freeze();

/** Stands for the workspace's address while code is highlighted, so that all workspaces share what was made once. */
const anyAddress = "https://your-subdomain.example.com";

/** The most pieces of code that are kept: several times what the pages show. */
const MAX_KEPT = 500;

const kept = new Map<string, Promise<string>>();

/**
 * Code as HTML, with the classes of lib/content/highlight.ts.
 * @param language a name that shiki knows
 * @param base the workspace's address in it, without a slash at the end
 */
export async function codeHtml(code: string, language: string, base: string): Promise<string> {
  const general = code.replaceAll(base, anyAddress);
  const name = `${language}\n${general}`;
  const known = kept.get(name) ?? made(general, language);
  if (kept.size >= MAX_KEPT) kept.clear();
  kept.set(name, known);
  return (await known).replaceAll(anyAddress, base);
}

async function made(code: string, language: string): Promise<string> {
  const children = (await highlighted(code, language)) ?? [{ type: "text" as const, value: code }];
  return printer.stringify({ type: "root", children });
}

const grammars: Record<Language, string> = { curl: "bash", javascript: "javascript", python: "python" };

/** A sample in all of its languages, as HTML. */
export async function sampleHtml(sample: Sample, base: string): Promise<Record<Language, string>> {
  const pieces = await Promise.all(
    languages.map(async (language) => [language, await codeHtml(sample[language], grammars[language], base)] as const),
  );
  return Object.fromEntries(pieces) as Record<Language, string>;
}
