import { Fragment, type ReactNode } from "react";

/** A text whose placeholders are parts of the page. */
export function Say({ text, ...parts }: { text: string } & Record<string, ReactNode>) {
  return text
    .split(/\{(\w+)\}/)
    .map((piece, index) => <Fragment key={index}>{index % 2 === 0 ? piece : parts[piece]}</Fragment>);
}
