import type { ElementContent } from "hast";
import { createHighlighterCore, type HighlighterCore, type ThemeRegistrationRaw } from "shiki/core";
import { createOnigurumaEngine } from "shiki/engine/oniguruma";
import { bundledLanguages } from "shiki/langs";
import { el } from "@/lib/content/nodes";

/*
 * Classes of the spans in highlighted code, for the style sheet:
 *
 *   hl-comment hl-keyword hl-operator hl-string hl-number hl-constant hl-function hl-type hl-variable hl-property
 *   hl-tag hl-punctuation hl-heading hl-inserted hl-deleted
 *
 * Text without a span has the block's own colour.
 */
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

/** A theme whose colours are numbers of classes: the highlighter knows colours only, and a style attribute is refused. */
const theme: ThemeRegistrationRaw = {
  name: "classes",
  type: "light",
  settings: [
    { settings: { foreground: colour(-1), background: "#FFFFFF" } },
    ...names.map((name, index) => ({ scope: scopes[name], settings: { foreground: colour(index) } })),
  ],
};

function colour(index: number): string {
  return `#${(index + 1).toString(16).padStart(6, "0").toUpperCase()}`;
}

/** Longer lines are data, not code to read, and some grammars take very long over them. */
const MAX_LINE = 1000;

/** Milliseconds for a line. The first one waits for its grammar, and on a busy machine half a second cut it short. */
const LINE_TIME = 10_000;

let starting: Promise<HighlighterCore> | undefined;

async function highlighterFor(language: string): Promise<HighlighterCore | undefined> {
  const load = Object.hasOwn(bundledLanguages, language) && bundledLanguages[language as keyof typeof bundledLanguages];
  if (!load) return undefined;
  // Grammars are compiled by the WebAssembly engine: on real C++ it is three times as fast as the JavaScript one.
  starting ??= createHighlighterCore({
    themes: [theme],
    langs: [],
    engine: createOnigurumaEngine(import("shiki/wasm")),
  });
  const highlighter = await starting;
  if (!highlighter.getLoadedLanguages().includes(language)) await highlighter.loadLanguage(load);
  return highlighter;
}

/**
 * Code with its tokens in spans, each with one of the classes above; undefined for a language that is not known.
 * Highlighters and grammars are loaded when first needed and kept.
 */
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
    for (const { content, color } of tokens) {
      const name: string | undefined =
        content.trim() === "" ? open : names[Number.parseInt(color?.slice(1) ?? "", 16) - 1];
      if (name !== open) close();
      open = name;
      text += content;
    }
  }
  close();
  return result;
}
