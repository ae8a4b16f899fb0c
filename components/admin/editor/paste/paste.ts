import { type Editor, Extension } from "@tiptap/core";
import { Fragment, type Node, Slice } from "@tiptap/pm/model";
import { Plugin, Selection, TextSelection, type Transaction } from "@tiptap/pm/state";
import { documentOf } from "@/components/admin/editor/schema/html";
import { videoAt } from "@/lib/content/embeds";
import { safeAddress } from "@/lib/content/schema";
import { imagesElsewhere } from "../parts/elsewhere";
import { mayLink, setLink } from "../parts/links";
import { imagesLeftOut, looksLikeMarkdown, plainerHtml } from "./word-processors";
import { shorten, takeImages, type WithImages } from "./written-images";

/** The HTML and Markdown readers are large, so they load only for pasting. Imports use the same ones. */
const readers = () =>
  Promise.all([import("@/lib/content/content"), import("@/lib/content/from-markdown")]).then(
    ([{ contentFromHtml }, { contentFromMarkdown }]) => ({ contentFromHtml, contentFromMarkdown }),
  );

declare module "@tiptap/core" {
  interface EditorEvents {
    /** Pasted or dropped images, with their position and alternative text if known. */
    images: { files: File[]; at?: number; alt?: string };
    /** Why something was refused, for the writer. */
    failure: string;
    /** URLs of pasted images that are hosted on other sites. */
    elsewhere: { images: string[] };
  }
}

/** Pasted content keeps its structure and loses its styles. See word-processors.ts. */
export const Paste = Extension.create({
  name: "cleanPaste",
  onCreate() {
    // Preloads the readers when the browser is idle.
    void readers().catch(() => {});
  },
  addProseMirrorPlugins() {
    const { editor } = this;
    /** Until this time, in the browser's milliseconds, a paste inserts plain text. */
    let textUntil = 0;
    return [
      new Plugin({
        props: {
          handleDOMEvents: {
            keydown: (_, event) => {
              textUntil = asksForText(event) ? event.timeStamp + PATIENCE : 0;
              return false;
            },
            // Runs before the editor parses the paste, because styles in the paste would violate the page's policy.
            paste: (view, event) => {
              const data = event.clipboardData;
              const asText = event.timeStamp < textUntil;
              textUntil = 0;
              if (!view.editable || !data || view.state.selection.$from.parent.type.spec.code) return false;
              const isTaken = asText ? view.pasteText(data.getData("text/plain"), event) : paste(editor, data);
              if (isTaken) event.preventDefault();
              return isTaken;
            },
          },
          handleDrop: (view, event, _slice, moved) => {
            const data = event.dataTransfer;
            if (moved || !data) return false;
            const files = [...data.files];
            const at = view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos;
            if (files.length === 0) return at !== undefined && drop(editor, data, at);
            // Otherwise the browser would open the file and leave the page.
            event.preventDefault();
            takeFiles(editor, files, at);
            return true;
          },
        },
      }),
    ];
  },
});

/** Longest time between the shortcut and its paste, in milliseconds. */
const PATIENCE = 1_000;

/** Ctrl+Shift+V, on a Mac also with Option. Shift+Insert pastes like Ctrl+V. */
function asksForText({ key, code, ctrlKey, metaKey, shiftKey }: KeyboardEvent): boolean {
  return shiftKey && (ctrlKey || metaKey) && (key.toLowerCase() === "v" || code === "KeyV");
}

/** Inserts images, and explains where to put other files. */
function takeFiles(editor: Editor, files: readonly File[], at?: number): void {
  const images = files.filter(({ type }) => type.startsWith("image/"));
  const [other, ...more] = files.filter((file) => !images.includes(file));
  if (images.length > 0) editor.emit("images", { files: images, ...(at !== undefined && { at }) });
  if (!other) return;
  const rest =
    more.length === 0 ? `“${other.name}” as an attachment` : `the other ${more.length + 1} files as attachments`;
  editor.emit("failure", `Only images can be inserted here. Add ${rest}.`);
}

/** @returns whether the paste was handled. If not, the editor's default applies. */
function paste(editor: Editor, data: DataTransfer): boolean {
  const html = data.types.includes("vscode-editor-data") ? "" : data.getData("text/html");
  const text = data.getData("text/plain").replace(/\r\n?/g, "\n");
  // Word adds a picture of any copied text. A browser adds the tag of a copied image.
  if (data.files.length > 0 && text.trim() === "") {
    takeFiles(editor, [...data.files]);
    return true;
  }
  // Content from this editor is clean already, and the editor keeps partial paragraphs intact.
  if (/\sdata-pm-slice=/.test(html)) return false;
  if (html.trim() === "" && pasteAddress(editor, text.trim())) return true;
  const kind = html.trim() !== "" ? "html" : looksLikeMarkdown(text) ? "markdown" : null;
  if (!kind) return false;
  readers().then(
    ({ contentFromHtml, contentFromMarkdown }) => {
      const { source, ...short } = shorten(kind === "html" ? html : text);
      const plain = kind === "html" ? plainerHtml(source) : "";
      const { html: clean } = kind === "html" ? contentFromHtml(plain) : contentFromMarkdown(source);
      const taken = takeImages(clean, short);
      const isLess = taken.unfit + taken.tooMany > 0;
      insert(editor, documentOf(isLess ? contentFromHtml(taken.html).html : taken.html), text, taken.images);
      const why = whyLeftOut(plain, taken);
      if (why) editor.emit("failure", why);
    },
    () =>
      editor.emit("failure", "Couldn't read what you pasted because part of this page didn't load. Paste it again."),
  );
  return true;
}

/** Handles content dropped from another page like pasted content. @returns as `paste` */
function drop(editor: Editor, data: DataTransfer, at: number): boolean {
  const { state, view } = editor;
  const $at = state.doc.resolve(at);
  if (data.getData("text/html").trim() === "" || $at.parent.type.spec.code) return false;
  view.dispatch(state.tr.setSelection(Selection.near($at)));
  view.focus();
  return paste(editor, data);
}

function whyLeftOut(html: string, taken: WithImages): string {
  const { away, unfit } = imagesLeftOut(html);
  const reasons: [count: number, why: (them: string) => string][] = [
    [
      away,
      (them) =>
        `because the clipboard contains only ${them === "it" ? "a link" : "links"} to ${them}. Drag ${them} in instead.`,
    ],
    [
      unfit + taken.unfit,
      (them) =>
        `because the format isn't supported. Save ${them} as PNG, JPEG, GIF, WebP, or AVIF, then drag ${them} in.`,
    ],
    [
      taken.tooMany,
      (them) => `because the limit is 20 images of 20 MB each and 50 MB in total. Drag ${them} in instead.`,
    ],
  ];
  return reasons
    .filter(([count]) => count > 0)
    .map(([count, why]) => {
      const [images, them] = count === 1 ? ["1 image", "it"] : [`${count} images`, "them"];
      return `Couldn't paste ${images} ${why(them)}`;
    })
    .join(" ");
}

/**
 * Inserts content without heading ids, because saving creates unique ones. Inline text keeps the spaces around it,
 * which cleaning removes from a paragraph.
 * @param text the same content as plain text
 * @param images pasted images by their temporary URL, until they are stored
 */
function insert(editor: Editor, read: Node, text: string, images: WithImages["images"]): void {
  if (editor.isDestroyed) return;
  // Each editor has its own schema and refuses nodes of another one.
  const pasted = editor.schema.nodeFromJSON(read.toJSON());
  const { state, view } = editor;
  const blocks: Node[] = [];
  pasted.forEach((block) => {
    blocks.push(block.type.name === "heading" ? block.type.create({ ...block.attrs, id: null }, block.content) : block);
  });
  const [line] = blocks;
  if (line?.type.name === "paragraph" && blocks.length === 1 && line.content.size > 0) {
    const space = Fragment.from(editor.schema.text(" "));
    const before = /^[ \u00a0]/.test(text) ? space : Fragment.empty;
    const after = /[ \u00a0]$/.test(text) ? space : Fragment.empty;
    blocks[0] = line.copy(before.append(line.content).append(after));
  }
  const content = pasted.type.create(null, blocks).content;
  if (
    content.textBetween(0, content.size).length === 0 &&
    blocks.every(({ isTextblock, childCount }) => isTextblock && childCount === 0)
  )
    return;
  const transaction = state.tr.replaceSelection(Slice.maxOpen(content, false));
  const waiting = takeOut(transaction, images);
  view.dispatch(transaction.scrollIntoView().setMeta("paste", true).setMeta("uiEvent", "paste"));
  for (const { file, at, alt } of waiting) editor.emit("images", { files: [file], at, alt });
  const elsewhere = imagesElsewhere(pasted, location.origin);
  if (elsewhere.length > 0) editor.emit("elsewhere", { images: elsewhere });
}

/** Removes images that must be stored first and keeps their captions as paragraphs. @returns each image and its position */
function takeOut(tr: Transaction, images: WithImages["images"]): { file: File; at: number; alt: string }[] {
  const found: { file: File; at: number; alt: string; figure: Node | null }[] = [];
  tr.doc.descendants(({ attrs }, at, parent) => {
    const file = images.get(String(attrs.src));
    if (file) found.push({ file, at, alt: String(attrs.alt), figure: parent?.type.name === "figure" ? parent : null });
  });
  const { paragraph } = tr.doc.type.schema.nodes;
  // From the end, so that earlier positions stay valid.
  const taken = found.reverse().map(({ file, at, alt, figure }) => {
    if (figure) {
      const caption = figure.lastChild?.content;
      const lines = [paragraph!.create(), ...(caption?.size ? [paragraph!.create(null, caption)] : [])];
      tr.replaceWith(at - 1, at - 1 + figure.nodeSize, lines);
    } else tr.delete(at, at + 1);
    return { file, alt, at, steps: tr.steps.length };
  });
  return taken.reverse().map(({ file, alt, at, steps }) => ({ file, alt, at: tr.mapping.slice(steps).map(at, -1) }));
}

/** A pasted URL links the selected text or image. A video's URL on an empty line becomes the video. */
function pasteAddress(editor: Editor, address: string): boolean {
  const href = /^https?:\/\/\S+$/.test(address) && safeAddress(address, "link");
  if (!href) return false;
  const { selection } = editor.state;
  const page = videoAt(address)?.page;
  if (page && selection.empty && selection.$from.parent.content.size === 0) {
    return editor.commands.insertContent({ type: "video", attrs: { href: page } });
  }
  const isOne = selection instanceof TextSelection ? selection.$from.sameParent(selection.$to) : mayLink(editor);
  if (!selection.empty && isOne) return setLink(editor, href);
  return editor.commands.insertContent({ type: "text", text: address, marks: [{ type: "link", attrs: { href } }] });
}
