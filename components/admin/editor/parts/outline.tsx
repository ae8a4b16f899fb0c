"use client";

import type { Editor } from "@tiptap/core";
import { TextSelection } from "@tiptap/pm/state";
import { Panel, PanelEntry } from "./panel";
import { show } from "./show";
import { useChanges } from "./use-changes";

export function Outline({ editor, onClose }: { editor: Editor; onClose: () => void }) {
  useChanges(editor);
  const headings: { at: number; level: number; text: string }[] = [];
  editor.state.doc.descendants((node, at) => {
    if (node.type.name === "heading") headings.push({ at, level: node.attrs.level as number, text: node.textContent });
    return !node.isTextblock;
  });
  return (
    <Panel label="Outline" editor={editor} onClose={onClose}>
      {headings.length === 0 ? (
        <p className="px-2.5 py-2 text-text-muted">No headings yet. Type ## and a space to add one.</p>
      ) : (
        <ol>
          {headings.map(({ at, level, text }) => (
            <PanelEntry
              key={at}
              look={`${indents[level]} ${level > 2 ? "text-text-muted" : ""}`}
              onGo={() => {
                onClose();
                show(editor, at, TextSelection.near(editor.state.doc.resolve(at + 1)));
              }}
            >
              {text || "Untitled"}
            </PanelEntry>
          ))}
        </ol>
      )}
    </Panel>
  );
}

const indents: Record<number, string> = { 2: "", 3: "pl-6", 4: "pl-10", 5: "pl-14", 6: "pl-18" };
