import { type Editor, Extension } from "@tiptap/core";
import type { Node } from "@tiptap/pm/model";
import { Plugin, PluginKey, TextSelection } from "@tiptap/pm/state";
import { Decoration, DecorationSet } from "@tiptap/pm/view";

interface Found {
  from: number;
  to: number;
}

interface Search {
  text: string;
  withCase: boolean;
  found: Found[];
  active: number;
}

const key = new PluginKey<Search>("find");
const nothing: Search = { text: "", withCase: false, found: [], active: 0 };

/** Highlights the matches in the article. */
export const Find = Extension.create({
  name: "find",
  addProseMirrorPlugins: () => [
    new Plugin({
      key,
      state: {
        init: () => nothing,
        apply(transaction, before: Search): Search {
          const change = transaction.getMeta(key) as Partial<Search> | undefined;
          if (!change && (!transaction.docChanged || before.text === "")) return before;
          const search = { ...before, ...change };
          const isSame = !transaction.docChanged && search.text === before.text && search.withCase === before.withCase;
          const found = isSame ? before.found : foundIn(transaction.doc, search.text, search.withCase);
          return { ...search, found, active: Math.max(0, Math.min(search.active, found.length - 1)) };
        },
      },
      props: {
        decorations(state) {
          const { found, active } = key.getState(state) ?? nothing;
          if (found.length === 0) return null;
          const marks = found.map(({ from, to }, index) =>
            Decoration.inline(from, to, { class: index === active ? "found found-active" : "found" }),
          );
          return DecorationSet.create(state.doc, marks);
        },
      },
    }),
  ],
});

export function searchIn(editor: Editor): Search {
  return key.getState(editor.state) ?? nothing;
}

/** Searches from the cursor on. An empty text ends the search. */
export function search(editor: Editor, text: string, withCase: boolean): void {
  const found = foundIn(editor.state.doc, text, withCase);
  const next = found.findIndex(({ from }) => from >= editor.state.selection.from);
  show(editor, { text, withCase, active: Math.max(0, next) });
}

/** Selects the next or previous match, and wraps around. */
export function goToFound(editor: Editor, step: 1 | -1): void {
  const { found, active } = searchIn(editor);
  if (found.length > 0) show(editor, { active: (active + step + found.length) % found.length });
}

function show(editor: Editor, change: Partial<Search>): void {
  const transaction = editor.state.tr.setMeta(key, change);
  editor.view.dispatch(transaction);
  const { found, active } = searchIn(editor);
  const shown = found[active];
  if (!shown) return;
  editor.view.dispatch(editor.state.tr.setSelection(TextSelection.create(editor.state.doc, shown.from, shown.to)));
  const { node } = editor.view.domAtPos(shown.from);
  (node instanceof Element ? node : node.parentElement)?.scrollIntoView({ block: "center" });
}

/** Replaces the current match or all matches. @returns the number of replacements */
export function replaceFound(editor: Editor, by: string, all: boolean): number {
  const { found, active } = searchIn(editor);
  const shown = found[active];
  const replaced = all ? found : shown ? [shown] : [];
  const { tr, doc, schema } = editor.state;
  for (const { from, to } of [...replaced].reverse()) {
    const marks = doc.resolve(from).marksAcross(doc.resolve(to)) ?? [];
    if (by === "") tr.delete(from, to);
    else tr.replaceWith(from, to, schema.text(by, marks));
  }
  if (replaced.length > 0) editor.view.dispatch(tr);
  if (!all) show(editor, {});
  return replaced.length;
}

/** Matches within each line of text, across marks. */
function foundIn(document: Node, text: string, withCase: boolean): Found[] {
  if (text === "") return [];
  const wanted = withCase ? text : lower(text);
  const found: Found[] = [];
  document.descendants((block, at) => {
    if (!block.isTextblock) return true;
    // Each non-text node counts as one character, so that offsets match document positions.
    let line = "";
    block.forEach((piece) => {
      line += piece.isText ? (piece.text ?? "") : "\ufffc".repeat(piece.nodeSize);
    });
    const seen = withCase ? line : lower(line);
    for (let index = seen.indexOf(wanted); index !== -1; index = seen.indexOf(wanted, index + wanted.length)) {
      found.push({ from: at + 1 + index, to: at + 1 + index + wanted.length });
    }
    return false;
  });
  return found;
}

/** Lower case with the same length: İ would become two characters. */
function lower(text: string): string {
  return text.replace(/./gsu, (letter) =>
    letter.toLowerCase().length === letter.length ? letter.toLowerCase() : letter,
  );
}
