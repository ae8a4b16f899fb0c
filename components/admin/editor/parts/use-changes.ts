"use client";

import type { Editor } from "@tiptap/core";
import { useEditorState } from "@tiptap/react";

/** Rerenders the component after each change of the text or the selection. */
export function useChanges(editor: Editor): void {
  useEditorState({ editor, selector: ({ transactionNumber }) => transactionNumber });
}
