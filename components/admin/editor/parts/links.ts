import type { Editor } from "@tiptap/core";
import { NodeSelection } from "@tiptap/pm/state";

/** The selected image with a caption. It stores its own link (schema/media.ts). */
function captionedImageAt({ state: { selection } }: Editor): NodeSelection | null {
  return selection instanceof NodeSelection && selection.node.type.name === "captionedImage" ? selection : null;
}

/** The URL of the link at the selection or the cursor. */
export function linkAt(editor: Editor): string | null {
  const image = captionedImageAt(editor);
  const href: unknown = image
    ? image.node.attrs.href
    : editor.isActive("link")
      ? editor.getAttributes("link").href
      : null;
  return typeof href === "string" ? href : null;
}

/** Whether the selection or the cursor's position can have a link. */
export function mayLink(editor: Editor): boolean {
  const { selection } = editor.state;
  if (editor.isActive("codeBlock")) return false;
  return !(selection instanceof NodeSelection) || selection.node.isInline || captionedImageAt(editor) !== null;
}

/**
 * Links the selection, or changes the URL of the link at the cursor and keeps its text.
 * @param text inserted when nothing is selected
 */
export function setLink(editor: Editor, href: string, text = href): boolean {
  if (captionedImageAt(editor)) return linkImage(editor, href);
  const chain = editor.chain().focus();
  if (editor.isActive("link")) return chain.extendMarkRange("link").setMark("link", { href }).run();
  if (!editor.state.selection.empty) return chain.setMark("link", { href }).run();
  return chain.insertContent({ type: "text", text, marks: [{ type: "link", attrs: { href } }] }).run();
}

/** Removes the link and keeps its content. */
export function removeLink(editor: Editor): boolean {
  if (captionedImageAt(editor)) return linkImage(editor, null);
  return editor.chain().focus().extendMarkRange("link").unsetMark("link").run();
}

function linkImage(editor: Editor, href: string | null): boolean {
  return editor
    .chain()
    .focus()
    .command(({ tr, state, dispatch }) => {
      const { from, node } = state.selection as NodeSelection;
      dispatch?.(tr.setNodeMarkup(from, undefined, { ...node.attrs, href, ...(href === null && { linkTitle: null }) }));
      tr.setSelection(NodeSelection.create(tr.doc, from));
      return true;
    })
    .run();
}
