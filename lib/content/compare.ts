import { diffArrays, diffWordsWithSpace } from "diff";

/** A piece of a text: in both, only in the later one, or only in the former one. */
export interface Piece {
  kind: "same" | "added" | "removed";
  text: string;
}

/** A line of two texts: a paragraph, a heading, an item of a list. */
export interface ComparedLine {
  isChanged: boolean;
  pieces: Piece[];
}

/** Two texts, line by line. */
export interface ComparedTexts {
  lines: ComparedLine[];
  /** The time was over before all was told apart: some lines stand there whole, as removed and added, that have much in common. */
  isRough: boolean;
}

/** How long two texts may be compared, in milliseconds: nothing else is answered meanwhile. */
const PATIENCE_MS = 1_000;
/** How much of that the words of one line may take. */
const LINE_MS = 200;

/**
 * Compares two texts line by line, and the words of lines that changed: what a reader would see as changed.
 * @param patience how long that may take, in milliseconds
 */
export function comparedTexts(before: string, after: string, patience = PATIENCE_MS): ComparedTexts {
  const end = performance.now() + patience;
  const lines: ComparedLine[] = [];
  let isRough = false;
  const [former, later] = [linesOf(before), linesOf(after)];
  const pair = (was: readonly string[], is: readonly string[]) => {
    for (let at = 0; at < Math.max(was.length, is.length); at++) {
      const line = comparedLine(was[at], is[at], Math.min(LINE_MS, end - performance.now()));
      lines.push(line ?? wholeLine(was[at], is[at]));
      isRough ||= line === null;
    }
  };
  // Half of the time is for finding which lines are the same, so that some is left for their words.
  const parts = diffArrays(former, later, { timeout: patience / 2 }) as
    | { value: string[]; added: boolean; removed: boolean }[]
    | undefined;
  if (!parts) {
    pair(former, later);
    return { lines, isRough: true };
  }
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at];
    if (!part) continue;
    const next = parts[at + 1];
    if (!part.added && !part.removed) {
      lines.push(...part.value.map((text) => ({ isChanged: false, pieces: [{ kind: "same" as const, text }] })));
    } else if (part.removed && next?.added) {
      pair(part.value, next.value);
      at++;
    } else pair(part.removed ? part.value : [], part.added ? part.value : []);
  }
  return { lines, isRough };
}

/** A line beside the one that is at its place, or alone; null when its words take too long. */
function comparedLine(former: string | undefined, later: string | undefined, patience: number): ComparedLine | null {
  if (former === undefined || later === undefined) return wholeLine(former, later);
  if (former === later) return { isChanged: false, pieces: [{ kind: "same", text: later }] };
  const words = (patience > 0 ? diffWordsWithSpace(former, later, { timeout: patience }) : undefined) as
    | { value: string; added: boolean; removed: boolean }[]
    | undefined;
  if (!words) return null;
  const pieces = words.map(({ value, added, removed }): Piece => {
    return { kind: added ? "added" : removed ? "removed" : "same", text: value };
  });
  return { isChanged: true, pieces };
}

function wholeLine(former: string | undefined, later: string | undefined): ComparedLine {
  const pieces: Piece[] = [];
  if (former !== undefined) pieces.push({ kind: "removed", text: former });
  if (later !== undefined) pieces.push({ kind: "added", text: later });
  return { isChanged: true, pieces };
}

const linesOf = (text: string) => text.split("\n").filter((line) => line.trim() !== "");
