"use client";

import type { Editor } from "@tiptap/core";
import { useEditorState } from "@tiptap/react";

/** Draws the component again after each change of the text or of what is selected. */
export function useChanges(editor: Editor): void {
  useEditorState({ editor, selector: ({ transactionNumber }) => transactionNumber });
}
