import type { Editor } from "@tiptap/core";
import { NodeSelection, TextSelection } from "@tiptap/pm/state";
import { show } from "../parts/show";
import { linksIn } from "./findings";

/** Selects the link or image named by `link` in the page's URL, such as a broken link from a list. */
export function showRequestedLink(editor: Editor): void {
  const url = new URL(location.href);
  const wanted = url.searchParams.get("link");
  if (wanted === null) return;
  // Only once, because the editor also restarts when its text is replaced.
  url.searchParams.delete("link");
  history.replaceState(history.state, "", url);
  const { doc } = editor.state;
  let place = linksIn(doc).find(({ href }) => href === wanted)?.at;
  doc.descendants((node, from) => {
    if (!place && node.attrs.src === wanted) place = { from, to: from + node.nodeSize, isNode: true };
    return !place;
  });
  if (!place) return void editor.emit("failure", "This link is no longer in the text.");
  const { from, to, isNode } = place;
  show(editor, from, isNode ? NodeSelection.create(doc, from) : TextSelection.create(doc, from, to));
}
