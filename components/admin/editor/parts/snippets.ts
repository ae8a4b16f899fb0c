import { Extension } from "@tiptap/core";
import type { Node } from "@tiptap/pm/model";
import { Plugin, PluginKey } from "@tiptap/pm/state";
import { Decoration, DecorationSet } from "@tiptap/pm/view";
import Suggestion from "@tiptap/suggestion";
import { tokenOf, tokensIn } from "@/lib/content/snippet-names";
import type { Block } from "./blocks";
import { slashMenu } from "./slash";

export interface SnippetChoice {
  name: string;
  text: string;
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
        pluginKey: new PluginKey("snippets"),
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
  return [...byName, ...byText].map(({ name, text }) => ({
    id: `snippet ${name}`,
    name,
    icon: "snippet",
    about: text,
    words: text,
    make: (chain) => chain.insertContent({ type: "text", text: tokenOf(name) }),
  }));
}

function marksIn(document: Node, texts: ReadonlyMap<string, string>): Decoration[] {
  const marks: Decoration[] = [];
  document.descendants((node, at, parent) => {
    if (!node.isText || parent?.type.spec.code || node.marks.some(({ type }) => type.name === "code")) return;
    for (const { name, from, to } of tokensIn(node.text ?? "")) {
      const title = texts.get(name);
      if (title !== undefined) marks.push(Decoration.inline(at + from, at + to, { class: "snippet", title }));
    }
  });
  return marks;
}
