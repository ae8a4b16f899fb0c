import { type Editor, Extension } from "@tiptap/core";
import { type EditorState, Plugin, PluginKey, TextSelection } from "@tiptap/pm/state";
import { Decoration, DecorationSet } from "@tiptap/pm/view";

/** Stores an image. The contract of the editor's `sendImage`. */
export type SendImage = (
  file: File,
  onProgress: (share: number) => void,
) => Promise<{ src: string; width?: number; height?: number }>;

const key = new PluginKey<DecorationSet>("uploads");

/** An upload's placeholder. `number` keeps the order of uploads at the same position. */
type Waiting = { box: HTMLElement; number: number };
type Change =
  | { add: { at: number } & Waiting }
  | { remove: HTMLElement /** Where the stored image starts. */; stored?: number };

let count = 0;

const widget = (at: number, waiting: Waiting) =>
  Decoration.widget(at, waiting.box, { ...waiting, side: 1, stopEvent: () => true });

const numbered = (decoration: Decoration) => (decoration.spec as Waiting).number;

/** Shows placeholders for uploads. They are not part of the article until they are stored. */
export const Uploads = Extension.create({
  name: "uploads",
  addProseMirrorPlugins: () => [
    new Plugin({
      key,
      state: {
        init: () => DecorationSet.empty,
        apply(transaction, shown: DecorationSet) {
          const mapped = shown.map(transaction.mapping, transaction.doc);
          const change = transaction.getMeta(key) as Change | undefined;
          if (!change) return mapped;
          if ("add" in change) return mapped.add(transaction.doc, [widget(change.add.at, change.add)]);
          const [removed] = shown.find(undefined, undefined, ({ box }) => box === change.remove);
          if (!removed) return mapped;
          // Earlier images at this position stay before this one, even while they upload.
          const earlier = shown
            .find(removed.from, removed.from)
            .filter((other) => change.stored !== undefined && numbered(other) < numbered(removed))
            .sort((one, other) => numbered(one) - numbered(other));
          // Placeholders at the end of the previous line would disappear with the empty line that the image replaces.
          const above =
            change.stored === undefined || change.stored === removed.from
              ? []
              : shown.find(change.stored, change.stored);
          const kept = [...above, ...earlier];
          const isOf = (spec: Waiting) =>
            spec.box === change.remove || kept.some((other) => (other.spec as Waiting).box === spec.box);
          return mapped.remove(mapped.find(undefined, undefined, (spec) => isOf(spec as Waiting))).add(
            transaction.doc,
            kept.map(({ spec }) => widget(change.stored ?? removed.from, spec as Waiting)),
          );
        },
      },
      props: { decorations: (state) => key.getState(state) },
    }),
  ],
});

/** The position after the text block at `at`. In a figure, after the whole figure's top-level block. */
function placeFor({ doc }: EditorState, at: number): number {
  const $at = doc.resolve(at);
  return $at.depth === 0
    ? at
    : $at.parent.isTextblock && $at.depth > 1 && $at.node(-1).type.name !== "figure"
      ? $at.after()
      : $at.after(1);
}

/** Moves the cursor to an empty line at the position, and adds the line if needed. */
function goBelow({ state, view }: Editor, place: number): void {
  const { tr, doc, schema } = state;
  const next = doc.resolve(place).nodeAfter;
  if (next?.type.name !== "paragraph" || next.content.size > 0) tr.insert(place, schema.nodes.paragraph!.create());
  view.dispatch(tr.setSelection(TextSelection.create(tr.doc, place + 1)));
}

/** Parallel uploads. A browser opens few connections to a host, and saving the article needs one. */
const AT_ONCE = 2;

const lanes = new WeakMap<Editor, { sending: number; waiting: (() => Promise<void>)[] }>();

function sendInTurn(editor: Editor, send: () => Promise<void>): void {
  const lane = lanes.get(editor) ?? { sending: 0, waiting: [] };
  lanes.set(editor, lane);
  const next = () => {
    const first = lane.sending < AT_ONCE && !editor.isDestroyed && lane.waiting.shift();
    if (!first) return;
    lane.sending++;
    void first().finally(() => {
      lane.sending--;
      next();
    });
  };
  lane.waiting.push(send);
  next();
}

/**
 * Uploads images and inserts each one when it is stored. A failed upload shows its reason and can be retried.
 * @param at their position. The default is the cursor, which moves below them.
 * @param alt the alternative text
 */
export function uploadImages(editor: Editor, send: SendImage, files: readonly File[], at?: number, alt = ""): void {
  if (editor.isDestroyed || files.length === 0) return;
  const place = placeFor(editor.state, at ?? editor.state.selection.to);
  if (at === undefined) goBelow(editor, place);
  for (const file of files) {
    const box = document.createElement("div");
    box.className = "upload";
    box.contentEditable = "false";
    editor.view.dispatch(editor.state.tr.setMeta(key, { add: { at: place, box, number: count++ } } satisfies Change));
    const start = () => {
      const progress = document.createElement("progress");
      progress.max = 1;
      progress.value = 0;
      progress.setAttribute("aria-label", `Uploading ${file.name}`);
      box.replaceChildren(`Uploading ${file.name}…`, progress);
      sendInTurn(editor, () =>
        send(file, (share) => (progress.value = share)).then(
          (image) => stored(editor, box, { ...image, alt }),
          (error: unknown) => refused(editor, box, file, error, start),
        ),
      );
    };
    start();
  }
  if (at === undefined) editor.commands.scrollIntoView();
}

function stored(editor: Editor, box: HTMLElement, image: Awaited<ReturnType<SendImage>> & { alt: string }): void {
  if (editor.isDestroyed) return;
  const { state } = editor;
  const at = key.getState(state)?.find(undefined, undefined, ({ box: owner }) => owner === box)[0]?.from;
  const transaction = state.tr;
  let start: number | undefined;
  // Otherwise the writer deleted the surrounding content during the upload.
  if (at !== undefined) {
    const { src, alt, width, height } = image;
    const line = editor.schema.node("paragraph", null, [
      editor.schema.node("image", { src, alt, width: width ?? null, height: height ?? null }),
    ]);
    const $at = transaction.doc.resolve(at);
    const before = $at.nodeBefore;
    const isEmpty = before?.type.name === "paragraph" && before.content.size === 0;
    start = isEmpty ? at - before.nodeSize : at;
    transaction.replaceWith(start, at, line);
  }
  editor.view.dispatch(
    transaction
      .setMeta("uploaded", true)
      .setMeta(key, { remove: box, ...(start !== undefined && { stored: start }) } satisfies Change),
  );
}

function refused(editor: Editor, box: HTMLElement, file: File, error: unknown, again: () => void): void {
  if (editor.isDestroyed) return;
  const said = document.createElement("p");
  said.setAttribute("role", "alert");
  said.textContent = `${file.name}: ${error instanceof Error ? error.message : "Upload failed. Try again."}`;
  const remove = () => editor.view.dispatch(editor.state.tr.setMeta(key, { remove: box } satisfies Change));
  box.replaceChildren(said, button("Try again", again), button("Remove", remove));
}

function button(name: string, act: () => void): HTMLButtonElement {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = name;
  made.addEventListener("click", act);
  return made;
}
