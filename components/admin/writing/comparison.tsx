import { Fragment } from "react";
import { countOf } from "@/components/ui/count";
import type { ComparedLine, ComparedTexts, Piece } from "@/lib/content/compare";

/** Unchanged lines shown around a change. */
const AROUND = 1;

/**
 * Compares two texts: crosses out removed words, marks added words, names other changes, and skips most unchanged lines.
 * @param sides shows the texts side by side, under these names, where there is room. Otherwise, they are merged.
 */
export function Comparison({
  texts: { lines, isUnnamed },
  label,
  sides,
}: {
  texts: Pick<ComparedTexts, "lines" | "isUnnamed">;
  label: string;
  sides?: [before: string, after: string];
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
          ? "The only differences are in details not shown here. Open the preview to compare."
          : "No differences in the text."}
      </p>
    );
  }
  return (
    <div
      role="region"
      aria-label={label}
      className={`grid gap-2 rounded-md border border-border bg-surface-raised p-4 ${sides ? "gap-x-8 lg:grid-cols-2" : ""}`}
    >
      {sides?.map((name) => (
        <p key={name} className="border-b border-border pb-2 text-sm font-medium text-text-muted max-lg:hidden">
          {name}
        </p>
      ))}
      {groups.map((group, index) =>
        group.isShown ? (
          group.lines.map((line, at) =>
            sides ? (
              <Fragment key={`${index} ${at}`}>
                <Line line={line} side="before" />
                <Line line={line} side="after" />
              </Fragment>
            ) : (
              <Line key={`${index} ${at}`} line={line} />
            ),
          )
        ) : (
          <details key={index} className="text-text-muted lg:col-span-full">
            <summary className="min-h-8 cursor-pointer py-1">
              {countOf(
                group.lines.reduce((all, { count = 1 }) => all + count, 0),
                "unchanged block",
                "unchanged blocks",
              )}
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

function Line({
  line: { isChanged, label, pieces: all, notes },
  side,
}: {
  line: ComparedLine;
  side?: "before" | "after";
}) {
  const pieces = all.filter(({ kind }) => kind !== (side === "before" ? "added" : side === "after" ? "removed" : null));
  const isEmpty = pieces.every(({ text }) => text.trim() === "");
  // On narrow screens, both sides stand below each other.
  const isRepeated = side === "after" && !isChanged;
  return (
    <div className={isRepeated ? "max-lg:hidden" : ""} data-side={side}>
      {isChanged && label !== ORDINARY && side !== "before" && <p className="text-sm text-text-muted">{label}</p>}
      <p className="wrap-anywhere whitespace-pre-wrap">
        {isEmpty && isChanged && pieces.length > 0 ? (
          <PieceOf piece={{ kind: pieces.at(-1)?.kind ?? "same", text: "(blank)" }} />
        ) : (
          pieces.map((piece, place) => <PieceOf key={place} piece={piece} />)
        )}
      </p>
      {notes.length > 0 && side !== "before" && (
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
  if (kind === "added") return <ins className="rounded-sm bg-highlight text-success no-underline">{text}</ins>;
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
              <span className="text-text-muted">None</span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
