import type { ComparedLine, ComparedTexts, Piece } from "@/lib/content/compare";

/** Unchanged lines shown around a change. */
const AROUND = 1;

/** Merges two texts: crosses out removed words, marks added words, names other changes, and skips most unchanged lines. */
export function Comparison({
  texts: { lines, isUnnamed },
  label,
}: {
  texts: Pick<ComparedTexts, "lines" | "isUnnamed">;
  label: string;
}) {
  const isNear = (at: number) =>
    lines.slice(Math.max(0, at - AROUND), at + AROUND + 1).some(({ isChanged }) => isChanged);
  const groups: { isShown: boolean; lines: ComparedLine[] }[] = [];
  lines.forEach((line, at) => {
    const isShown = isNear(at);
    const last = groups.at(-1);
    if (last?.isShown === isShown) last.lines.push(line);
    else groups.push({ isShown, lines: [line] });
  });
  if (!lines.some(({ isChanged }) => isChanged)) {
    return (
      <p className="text-text-muted">
        {isUnnamed
          ? "The words are the same. The text differs in something that is not told here: the preview shows how it looks."
          : "The text is the same."}
      </p>
    );
  }
  return (
    <div role="region" aria-label={label} className="grid gap-2 rounded-md border border-border bg-surface-raised p-4">
      {groups.map((group, index) =>
        group.isShown ? (
          group.lines.map((line, at) => <Line key={`${index} ${at}`} line={line} />)
        ) : (
          <details key={index} className="text-text-muted">
            <summary className="min-h-8 cursor-pointer py-1">
              {group.lines.length === 1
                ? "One paragraph that is the same"
                : `${group.lines.length} paragraphs that are the same`}
            </summary>
            {group.lines.map((line, at) => (
              <p key={at} className="mt-2 wrap-anywhere whitespace-pre-wrap">
                {line.pieces.map(({ text }) => text).join("")}
              </p>
            ))}
          </details>
        ),
      )}
    </div>
  );
}

/** The format to leave unmentioned. */
const ORDINARY = "Paragraph";

function Line({ line: { isChanged, label, pieces, notes } }: { line: ComparedLine }) {
  const isEmpty = pieces.every(({ text }) => text.trim() === "");
  return (
    <div>
      {isChanged && label !== ORDINARY && <p className="text-sm text-text-muted">{label}</p>}
      <p className="wrap-anywhere whitespace-pre-wrap">
        {isEmpty && isChanged ? (
          <PieceOf piece={{ kind: pieces.at(-1)?.kind ?? "same", text: "An empty line" }} />
        ) : (
          pieces.map((piece, place) => <PieceOf key={place} piece={piece} />)
        )}
      </p>
      {notes.length > 0 && (
        <ul className="mt-1 grid gap-1 border-l-2 border-border-field pl-3 text-sm text-text-muted">
          {notes.map((note, place) => (
            <li key={place} className="wrap-anywhere">
              {note}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function PieceOf({ piece: { kind, text } }: { piece: Piece }) {
  if (kind === "added") return <ins className="rounded-sm bg-highlight font-medium text-success underline">{text}</ins>;
  if (kind === "removed") return <del className="text-danger line-through">{text}</del>;
  return text;
}

export interface OtherChange {
  name: string;
  before: string;
  after: string;
}

export function OtherChanges({ changes }: { changes: OtherChange[] }) {
  if (changes.length === 0) return null;
  return (
    <dl className="grid gap-x-4 gap-y-1.5 sm:grid-cols-[12rem_minmax(0,1fr)]">
      {changes.map(({ name, before, after }) => (
        <div key={name} className="contents">
          <dt className="text-text-muted">{name}</dt>
          <dd className="min-w-0 wrap-anywhere">
            {before && <del className="text-danger line-through">{before}</del>}{" "}
            {after ? (
              <ins className="text-success underline">{after}</ins>
            ) : (
              <span className="text-text-muted">nothing</span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
