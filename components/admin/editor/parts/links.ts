import type { Editor } from "@tiptap/core";
import { NodeSelection } from "@tiptap/pm/state";
import { safeAddress } from "@/lib/content/schema";

/** The image with a caption that is selected. Its link is its own (schema/media.ts). */
function captionedImageAt({ state: { selection } }: Editor): NodeSelection | null {
  return selection instanceof NodeSelection && selection.node.type.name === "captionedImage" ? selection : null;
}

/** Where what is selected leads, or what the cursor is in. */
export function linkAt(editor: Editor): string | null {
  const image = captionedImageAt(editor);
  const href: unknown = image
    ? image.node.attrs.href
    : editor.isActive("link")
      ? editor.getAttributes("link").href
      : null;
  return typeof href === "string" ? href : null;
}

/** Whether a link can stand where the cursor is, or on what is selected. */
export function mayLink(editor: Editor): boolean {
  const { selection } = editor.state;
  if (editor.isActive("codeBlock")) return false;
  return !(selection instanceof NodeSelection) || selection.node.isInline || captionedImageAt(editor) !== null;
}

/**
 * Links what is selected, or changes where the link leads that the cursor is in; what a link is called stays.
 * @param text is put there where nothing is selected
 */
export function setLink(editor: Editor, href: string, text = href): boolean {
  if (captionedImageAt(editor)) return linkImage(editor, href);
  const chain = editor.chain().focus();
  if (editor.isActive("link")) return chain.extendMarkRange("link").setMark("link", { href }).run();
  if (!editor.state.selection.empty) return chain.setMark("link", { href }).run();
  return chain.insertContent({ type: "text", text, marks: [{ type: "link", attrs: { href } }] }).run();
}

/** Takes the link away and leaves what was linked. */
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

/** Ends of names of files and of programs that no host ends in. */
const FILES =
  /\.(?:[cm]?[jt]sx?|json|ya?ml|toml|xml|html?|s?css|vue|php|rb|cpp|sql|txt|csv|pdf|docx?|xlsx?|pptx?|png|jpe?g|gif|svg|webp|exe|dll|log|ini|env|conf|cfg|bat|jar|tar|gz)$/i;

/**
 * Reads typed text as an address.
 * @returns the address, and whether it is one for sure: a host without a scheme, such as "docs.rs", may also be the name of
 *   something; undefined where it is none
 */
export function addressOf(text: string): { href: string; isSure: boolean } | undefined {
  const whole = /^(?:https?:\/\/|mailto:|tel:|\/|#|\.\.?\/)\S+$/i.test(text)
    ? text
    : /^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/.test(text)
      ? `mailto:${text}`
      : null;
  if (whole) {
    const href = safeAddress(whole, "link");
    return href ? { href, isSure: true } : undefined;
  }
  const [, host = "", rest = ""] = /^((?:[\w-]+\.)+[a-z]{2,}(?::\d{1,5})?)([/?#]\S*)?$/i.exec(text) ?? [];
  if (host === "" || (rest === "" && FILES.test(host))) return undefined;
  const href = safeAddress(`https://${text}`, "link");
  return href ? { href, isSure: rest !== "" || /^www\./i.test(host) } : undefined;
}
