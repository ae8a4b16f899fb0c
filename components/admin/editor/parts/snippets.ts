import { Extension } from "@tiptap/core";
import type { Node } from "@tiptap/pm/model";
import { Plugin } from "@tiptap/pm/state";
import { Decoration, DecorationSet } from "@tiptap/pm/view";
import Suggestion from "@tiptap/suggestion";
import { type Token, tokenOf, tokensIn } from "@/lib/content/snippet-names";
import { type Block, snippetSuggestions } from "./blocks";
import { slashMenu } from "./slash";

export interface SnippetChoice {
  name: string;
  text: string;
  /** Whether it is one paragraph, which fits into a sentence. */
  isInline: boolean;
}

/** Offers the workspace's snippets after two braces, and marks their tokens. */
export const SnippetTokens = Extension.create<{ snippets: readonly SnippetChoice[] }>({
  name: "snippetTokens",
  addOptions: () => ({ snippets: [] }),
  addProseMirrorPlugins() {
    const { editor, options } = this;
    const texts = new Map(options.snippets.map(({ name, text }) => [name, text]));
    if (texts.size === 0) return [];
    const marks = (document: Node) => DecorationSet.create(document, marksIn(document, texts));
    return [
      Suggestion<Block>({
        editor,
        pluginKey: snippetSuggestions,
        char: "{{",
        allowedPrefixes: null,
        decorationClass: "slash",
        allow: ({ state, range }) => {
          const at = state.doc.resolve(range.from);
          const isCode = at.parent.type.spec.code || at.marks().some(({ type }) => type.name === "code");
          return !isCode && /^[a-z0-9-]*$/i.test(state.doc.textBetween(range.from + 2, range.to));
        },
        items: ({ query }) => snippetBlocks(options.snippets, query),
        render: slashMenu(editor),
      }),
      new Plugin<DecorationSet>({
        state: {
          init: (_, { doc }) => marks(doc),
          apply: ({ docChanged, doc }, before) => (docChanged ? marks(doc) : before),
        },
        props: {
          decorations(state) {
            return this.getState(state);
          },
        },
      }),
    ];
  },
});

/** The snippets whose name or text has what was typed, names first. */
export function snippetBlocks(snippets: readonly SnippetChoice[], typed: string): Block[] {
  const wanted = typed.toLowerCase();
  const byName = snippets.filter(({ name }) => name.includes(wanted));
  const byText = snippets.filter((one) => !byName.includes(one) && one.text.toLowerCase().includes(wanted));
  return [...byName, ...byText].map(({ name, text, isInline }) => ({
    id: `snippet ${name}`,
    name,
    icon: "snippet",
    about: text,
    words: text,
    make: (chain) => {
      const token = { type: "text", text: tokenOf(name) };
      return chain.insertContent(isInline ? token : { type: "paragraph", content: [token] });
    },
  }));
}

function marksIn(document: Node, texts: ReadonlyMap<string, string>): Decoration[] {
  return snippetsIn(document).flatMap(({ name, from, to }) => {
    const title = texts.get(name);
    return title === undefined ? [] : [Decoration.inline(from, to, { class: "snippet", title })];
  });
}

interface SnippetInText extends Token {
  /** Whether its paragraph has nothing else, so that a list or callout can replace it. */
  isAlone: boolean;
}

/** The tokens of a document outside code, whether or not such snippets exist. */
export function snippetsIn(document: Node): SnippetInText[] {
  const found: SnippetInText[] = [];
  document.descendants((node, at, parent) => {
    if (!node.isText || parent?.type.spec.code || node.marks.some(({ type }) => type.name === "code")) return;
    for (const { name, from, to } of tokensIn(node.text ?? "")) {
      const isAlone =
        parent?.type.name === "paragraph" && parent.textContent.trim() === tokenOf(name) && parent.childCount === 1;
      found.push({ name, from: at + from, to: at + to, isAlone });
    }
  });
  return found;
}
