import type { KeyboardEvent } from "react";
import type { Line, Step } from "@/components/admin/categories/tree";
import type { Shortcut } from "@/components/ui/shortcuts";

export const shortcuts: Shortcut[] = [
  { keys: ["↑", "↓", "Home", "End"], does: "Move between categories" },
  { keys: ["←", "→"], does: "Collapse and expand a category" },
  { keys: ["a–z"], does: "Go to the category that starts with these letters" },
  { keys: ["Alt", "↑", "↓"], does: "Move a category up or down" },
  { keys: ["Alt", "←", "→"], does: "Outdent and indent a category" },
  { keys: ["Ctrl", "Z"], does: "Undo the last change" },
  { keys: ["F2"], does: "Edit name and URL" },
  { keys: ["Shift", "Enter"], does: "Add a sibling" },
  { keys: ["Ctrl", "Enter"], does: "Add a subcategory" },
  { keys: ["Delete"], does: "Delete a category" },
  { keys: ["Shift", "F10"], does: "Show more actions" },
];

type Act =
  | "next"
  | "previous"
  | "first"
  | "last"
  | "right"
  | "left"
  | "siblings"
  | "edit"
  | "below"
  | "in"
  | "menu"
  | "delete"
  | "undo";

const steps: Record<string, Step> = { ArrowUp: "up", ArrowDown: "down", ArrowRight: "in", ArrowLeft: "out" };
const plain: Record<string, Act> = {
  ArrowDown: "next",
  ArrowUp: "previous",
  Home: "first",
  End: "last",
  ArrowRight: "right",
  ArrowLeft: "left",
  "*": "siblings",
  F2: "edit",
  Enter: "edit",
  ContextMenu: "menu",
  Delete: "delete",
  Insert: "below",
};

/** @returns the key's action in the tree, or null */
export function keyAct({ key, altKey, shiftKey, ctrlKey, metaKey }: KeyboardEvent): Act | { step: Step } | null {
  const way = steps[key];
  if (altKey) return way && !ctrlKey && !metaKey && !shiftKey ? { step: way } : null;
  if (key === "Enter" && (ctrlKey || metaKey)) return "in";
  if (key === "Enter" && shiftKey) return "below";
  if (key === "F10" && shiftKey) return "menu";
  if (key.toLowerCase() === "z" && (ctrlKey || metaKey) && !shiftKey) return "undo";
  if (ctrlKey || metaKey || (shiftKey && key !== "*")) return null;
  return plain[key] ?? null;
}

export function isLetter({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return /^[\p{L}\p{N}]$/u.test(key) && !ctrlKey && !metaKey && !altKey;
}

/** The next line whose name starts with the typed letters. A single letter continues from the current line. */
export function lineBeginning(lines: readonly Line[], at: number, text: string): Line | undefined {
  const from = text.length > 1 ? at : at + 1;
  return [...lines.slice(from), ...lines.slice(0, from)].find(({ row }) => row.name.toLowerCase().startsWith(text));
}
