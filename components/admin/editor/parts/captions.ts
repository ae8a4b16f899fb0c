import type { Command, Editor } from "@tiptap/core";
import type { Node } from "@tiptap/pm/model";
import { NodeSelection, Selection } from "@tiptap/pm/state";

interface Place {
  node: Node;
  pos: number;
}

/** The innermost node of these types that is selected or contains the cursor. */
export function nodeAt(editor: Editor, ...names: string[]): Place | null {
  const { selection } = editor.state;
  if (selection instanceof NodeSelection && names.includes(selection.node.type.name)) {
    return { node: selection.node, pos: selection.from };
  }
  const { $from } = selection;
  for (let depth = $from.depth; depth > 0; depth--) {
    const node = $from.node(depth);
    if (names.includes(node.type.name)) return { node, pos: $from.before(depth) };
  }
  return null;
}

/** The figure at the cursor, or a node that can become one: a table, code, a video, or an image alone on its line. */
export function captionable(editor: Editor): (Place & { isFigure: boolean }) | null {
  const figure = nodeAt(editor, "figure");
  if (figure) return { ...figure, isFigure: true };
  const place = nodeAt(editor, "image", "video", "codeBlock", "table");
  if (place?.node.type.name !== "image") return place && { ...place, isFigure: false };
  const $pos = editor.state.doc.resolve(place.pos);
  const isAlone = $pos.parent.type.name === "paragraph" && $pos.parent.childCount === 1;
  return isAlone ? { node: $pos.parent, pos: $pos.before(), isFigure: false } : null;
}

/** Adds a caption and moves the cursor into it, or removes the caption. */
export function toggleCaption(editor: Editor): boolean {
  const place = captionable(editor);
  return (
    place !== null &&
    editor
      .chain()
      .focus()
      .command(place.isFigure ? withoutCaption(place) : withCaption(place))
      .run()
  );
}

function withCaption({ node, pos }: Place): Command {
  return ({ tr, state, dispatch }) => {
    const { nodes, marks } = state.schema;
    let content = node;
    const image = node.type.name === "paragraph" ? node.firstChild : null;
    if (image) {
      const link = image.marks.find(({ type }) => type === marks.link);
      content = nodes.captionedImage!.create({
        ...image.attrs,
        href: (link?.attrs.href as string | undefined) ?? null,
        linkTitle: (link?.attrs.title as string | undefined) ?? null,
      });
    }
    if (!dispatch) return true;
    tr.replaceWith(pos, pos + node.nodeSize, nodes.figure!.create(null, [content, nodes.caption!.create()]));
    tr.setSelection(Selection.near(tr.doc.resolve(pos + 2 + content.nodeSize))).scrollIntoView();
    return true;
  };
}

/** Takes the content out of its figure. The caption's text becomes a paragraph below. */
export function withoutCaption({ node, pos }: Place): Command {
  return ({ tr, state, dispatch }) => {
    const { nodes, marks } = state.schema;
    const [held, label] = [node.firstChild, node.lastChild];
    if (!held || !label) return false;
    if (!dispatch) return true;
    let block = held;
    if (held.type === nodes.captionedImage) {
      const { href, linkTitle, ...attrs } = held.attrs as { href: string | null; linkTitle: string | null };
      const link = href ? [marks.link!.create({ href, title: linkTitle })] : [];
      block = nodes.paragraph!.create(null, nodes.image!.create(attrs, null, link));
    }
    const text = label.content.size > 0 ? [nodes.paragraph!.create(null, label.content)] : [];
    tr.replaceWith(pos, pos + node.nodeSize, [block, ...text]);
    const inside = Selection.near(tr.doc.resolve(pos + 1));
    tr.setSelection(
      held.type === nodes.captionedImage ? NodeSelection.create(tr.doc, pos + 1) : inside,
    ).scrollIntoView();
    return true;
  };
}
