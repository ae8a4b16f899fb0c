/** Longer texts have no colors, because they would need many thousands of elements. */
const MAX_COLORED = 60_000;

const token = /("(?:\\.|[^"\\])*")(\s*:)?|\b(true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** A value as indented JSON, in the colors of highlighted code. */
export function Json({ value }: { value: unknown }) {
  const text = JSON.stringify(value, null, 2);
  return (
    <pre tabIndex={0} className="max-h-[32rem] overflow-auto px-4 py-3.5 text-code outline-offset-[-2px]">
      <code>{text.length > MAX_COLORED ? text : colored(text)}</code>
    </pre>
  );
}

function colored(text: string) {
  const pieces = [];
  let end = 0;
  for (const match of text.matchAll(token)) {
    const [whole, string, colon = "", word] = match;
    const color = string ? (colon ? "hl-property" : "hl-string") : word ? "hl-constant" : "hl-number";
    pieces.push(
      text.slice(end, match.index),
      <span key={match.index} className={color}>
        {string ?? whole}
      </span>,
      colon,
    );
    end = match.index + whole.length;
  }
  return [...pieces, text.slice(end)];
}
