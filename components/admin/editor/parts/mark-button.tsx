"use client";

import type { Editor } from "@tiptap/core";
import { BarButton } from "./bar";
import type { IconName } from "./icons";

const marks = {
  strong: { name: "Bold", keys: "Ctrl+B", icon: "bold" },
  em: { name: "Italic", keys: "Ctrl+I", icon: "italic" },
  u: { name: "Underline", keys: "Ctrl+U", icon: "underline" },
  s: { name: "Strikethrough", keys: "Ctrl+Shift+X", icon: "strike" },
  code: { name: "Code", keys: "Ctrl+E", icon: "code" },
  mark: { name: "Highlight", keys: "Ctrl+Shift+H", icon: "mark" },
} satisfies Record<string, { name: string; keys: string; icon: IconName }>;

export function MarkButton({ editor, mark }: { editor: Editor; mark: keyof typeof marks }) {
  return (
    <BarButton
      {...marks[mark]}
      pressed={editor.isActive(mark)}
      disabled={editor.isActive("codeBlock")}
      onPress={() => editor.chain().focus().toggleMark(mark).run()}
    />
  );
}
