import { Fragment } from "react";

/** Code up to this length does not break at its hyphens. */
const SHORT = 24;

/** Text with code between `backticks`. */
export function Inline({ children }: { children: string }) {
  return children.split("`").map((piece, index) => {
    if (index % 2 === 0) return <Fragment key={index}>{piece}</Fragment>;
    return (
      <code key={index} className={piece.length > SHORT ? "wrap-anywhere" : "whitespace-nowrap"}>
        {piece}
      </code>
    );
  });
}
