import type { ElementContent } from "hast";
import { createHighlighterCore, type HighlighterCore, type ThemeRegistrationRaw } from "shiki/core";
import { createOnigurumaEngine } from "shiki/engine/oniguruma";
import { bundledLanguages } from "shiki/langs";
import { el } from "@/lib/content/nodes";

/** The classes of spans in highlighted code are these names with the prefix hl-. */
const scopes: Record<string, string[]> = {
  comment: ["comment", "punctuation.definition.comment", "string.quoted.docstring"],
  keyword: ["keyword", "storage", "variable.language", "punctuation.definition.keyword"],
  operator: ["keyword.operator", "storage.type.function.arrow"],
  string: ["string", "punctuation.definition.string", "markup.inline.raw", "constant.character.escape"],
  number: ["constant.numeric", "keyword.other.unit"],
  constant: ["constant.language", "constant.other", "constant.character", "support.constant"],
  function: ["entity.name.function", "support.function", "meta.function-call entity.name", "entity.name.command"],
  type: ["entity.name.type", "entity.name.class", "entity.other.inherited-class", "support.type", "support.class"],
  variable: ["variable", "punctuation.definition.variable"],
  property: [
    "entity.other.attribute-name",
    "variable.other.property",
    "support.type.property-name",
    "meta.object-literal.key",
  ],
  tag: ["entity.name.tag", "punctuation.definition.tag", "entity.name.section.group-title"],
  punctuation: ["punctuation", "meta.brace"],
  heading: ["markup.heading", "entity.name.section"],
  inserted: ["markup.inserted", "punctuation.definition.inserted"],
  deleted: ["markup.deleted", "punctuation.definition.deleted"],
};

const names = Object.keys(scopes);

/** The highlighter knows only colors, so each color of this theme stands for the index of a class. */
const theme: ThemeRegistrationRaw = {
  name: "classes",
  type: "light",
  settings: [
    { settings: { foreground: color(-1), background: "#FFFFFF" } },
    ...names.map((name, index) => ({ scope: scopes[name], settings: { foreground: color(index) } })),
  ],
};

function color(index: number): string {
  return `#${(index + 1).toString(16).padStart(6, "0").toUpperCase()}`;
}

/** Some grammars are very slow on longer lines. */
const MAX_LINE = 1000;

/** Milliseconds per line. The first line waits for its grammar. */
const LINE_TIME = 10_000;

let starting: Promise<HighlighterCore> | undefined;

async function highlighterFor(language: string): Promise<HighlighterCore | undefined> {
  const load = Object.hasOwn(bundledLanguages, language) && bundledLanguages[language as keyof typeof bundledLanguages];
  if (!load) return undefined;
  // On C++, the WebAssembly engine is three times as fast as the JavaScript one.
  starting ??= createHighlighterCore({
    themes: [theme],
    langs: [],
    engine: createOnigurumaEngine(import("shiki/wasm")),
  });
  const highlighter = await starting;
  if (!highlighter.getLoadedLanguages().includes(language)) await highlighter.loadLanguage(load);
  return highlighter;
}

/** Highlights code, or undefined for an unknown language. Loads grammars when they are first needed. */
export async function highlighted(code: string, language: string): Promise<ElementContent[] | undefined> {
  const highlighter = await highlighterFor(language);
  if (!highlighter) return undefined;
  const lines = highlighter.codeToTokensBase(code, {
    lang: language,
    theme: "classes",
    tokenizeMaxLineLength: MAX_LINE,
    tokenizeTimeLimit: LINE_TIME,
  });
  const result: ElementContent[] = [];
  let [open, text]: [string | undefined, string] = [undefined, ""];
  const close = () => {
    const node: ElementContent = { type: "text", value: text };
    if (text !== "") result.push(open ? el("span", { className: [`hl-${open}`] }, [node]) : node);
    text = "";
  };
  for (const [index, tokens] of lines.entries()) {
    if (index > 0) text += "\n";
    for (const { content, color: value } of tokens) {
      const name: string | undefined =
        content.trim() === "" ? open : names[Number.parseInt(value?.slice(1) ?? "", 16) - 1];
      if (name !== open) close();
      open = name;
      text += content;
    }
  }
  close();
  return result;
}
