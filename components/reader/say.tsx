import type { ReactNode } from "react";

/** A text whose placeholders are parts of the page. */
export function Say({ text, ...parts }: { text: string } & Record<string, ReactNode>) {
  return text.split(/\{(\w+)\}/).map((piece, index) => (index % 2 === 0 ? piece : parts[piece]));
}
