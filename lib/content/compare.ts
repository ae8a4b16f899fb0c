import { diffArrays, diffWordsWithSpace } from "diff";
import { cleanTree, printed } from "@/lib/content/content";
import { ANCHOR, LAYOUT, linesOf, type Stretch, type TextLine } from "@/lib/content/lines";
import type { MarkName } from "@/lib/content/schema";

export interface Piece {
  kind: "same" | "added" | "removed";
  text: string;
}

export interface ComparedLine {
  isChanged: boolean;
  /** Such as "Paragraph", "Image added", "Heading 3, previously: heading 2". */
  label: string;
  pieces: Piece[];
  notes: string[];
  /** The number of unchanged lines that this one stands for. One by default. */
  count?: number;
}

export interface ComparedTexts {
  lines: ComparedLine[];
  /** Time ran out, so some similar lines are shown as removed and added. */
  isRough: boolean;
  isUnnamed: boolean;
}

/** Time for one comparison, which blocks the process. */
const TIMEOUT_MS = 1_000;
const LINE_TIMEOUT_MS = 200;

/** Lines around a change that stay lines of their own, and changed lines that are shown. */
const AROUND = 1;
const MAX_CHANGED = 1_000;

const MAX_NOTES = 8;
const MAX_QUOTED = 60;

const MARK_NAMES: Record<Exclude<MarkName, "a">, string> = {
  strong: "bold",
  em: "italic",
  u: "underlined",
  s: "strikethrough",
  mark: "highlighted",
  sub: "subscript",
  sup: "superscript",
  kbd: "keyboard key",
  code: "code",
};

/** Compares two articles' HTML line by line, and changed lines word by word. Finds every change that readers can see. */
export function comparedTexts(before: string, after: string, timeout = TIMEOUT_MS): ComparedTexts {
  const oldRoot = cleanTree(before).root;
  const newRoot = before === after ? oldRoot : cleanTree(after).root;
  const compared = comparedLines(linesOf(oldRoot), linesOf(newRoot), timeout);
  const hasChanges = compared.lines.some(({ isChanged }) => isChanged);
  return { ...compared, isUnnamed: !hasChanges && oldRoot !== newRoot && printed(oldRoot) !== printed(newRoot) };
}

/** The same comparison in few lines, because a page draws each: unchanged lines between changes become one. */
export function shortened({ lines, ...rest }: ComparedTexts): ComparedTexts {
  const result: ComparedLine[] = [];
  let changed = 0;
  for (const [at, line] of lines.entries()) {
    if (line.isChanged && ++changed > MAX_CHANGED) continue;
    const isNear = lines.slice(Math.max(0, at - AROUND), at + AROUND + 1).some(({ isChanged }) => isChanged);
    const last = result.at(-1);
    if (isNear || !last?.count) result.push(isNear ? line : { ...line, pieces: [...line.pieces], count: 1 });
    else {
      last.pieces.push({ kind: "same", text: "\n" }, ...line.pieces);
      last.count++;
    }
  }
  if (changed > MAX_CHANGED) {
    const label = `And ${(changed - MAX_CHANGED).toLocaleString("en")} more changed blocks`;
    result.push({ isChanged: true, label, pieces: [], notes: [] });
  }
  return { lines: result, ...rest };
}

function comparedLines(
  oldLines: readonly TextLine[],
  newLines: readonly TextLine[],
  timeout: number,
): Omit<ComparedTexts, "isUnnamed"> {
  const end = performance.now() + timeout;
  const lines: ComparedLine[] = [];
  let isRough = false;
  let [oldAt, newAt, followsPair] = [0, 0, true];
  const add = (before: TextLine | undefined, after: TextLine | undefined) => {
    const line = comparedLine(before, after, followsPair, Math.min(LINE_TIMEOUT_MS, end - performance.now()));
    lines.push(line ?? wholeLine(before, after));
    isRough ||= line === null;
    followsPair = before !== undefined && after !== undefined;
    if (before) oldAt++;
    if (after) newAt++;
  };
  const addUntil = (oldEnd: number, newEnd: number) => {
    while (oldAt < oldEnd || newAt < newEnd) {
      const before = oldAt < oldEnd ? oldLines[oldAt] : undefined;
      const after = newAt < newEnd ? newLines[newAt] : undefined;
      if (!before || !after || before.sort === after.sort) add(before, after);
      else if (after.sort === "words") add(before, undefined);
      else add(undefined, after);
    }
  };
  // Half of the time is for matching lines, so that some is left for their words.
  const parts = diffArrays(oldLines.map(keyOf), newLines.map(keyOf), { timeout: timeout / 2 }) as
    | { count: number; added: boolean; removed: boolean }[]
    | undefined;
  if (!parts) {
    addUntil(oldLines.length, newLines.length);
    return { lines, isRough: true };
  }
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at];
    if (!part) continue;
    const next = parts[at + 1];
    if (part.removed && next?.added) {
      addUntil(oldAt + part.count, newAt + next.count);
      at++;
    } else addUntil(oldAt + (part.added ? 0 : part.count), newAt + (part.removed ? 0 : part.count));
  }
  return { lines, isRough };
}

const keyOf = ({ sort, text }: TextLine) => `${sort} ${text}`;

/** Null when comparing the words takes too long. */
function comparedLine(
  before: TextLine | undefined,
  after: TextLine | undefined,
  followsPair: boolean,
  timeout: number,
): ComparedLine | null {
  if (before === undefined || after === undefined) return wholeLine(before, after);
  const label = before.label === after.label ? after.label : `${after.label}, previously: ${lowerFirst(before.label)}`;
  if (before.text === after.text) {
    const pieces: Piece[] = [{ kind: "same", text: after.text }];
    const notes = notesOf(before, after, pieces, followsPair);
    return { isChanged: before.label !== after.label || notes.length > 0, label, pieces, notes };
  }
  const words = (timeout > 0 ? diffWordsWithSpace(before.text, after.text, { timeout }) : undefined) as
    | { value: string; added: boolean; removed: boolean }[]
    | undefined;
  if (!words) return null;
  const pieces = words.map(({ value, added, removed }): Piece => {
    return { kind: added ? "added" : removed ? "removed" : "same", text: value };
  });
  return { isChanged: true, label, pieces, notes: notesOf(before, after, pieces, followsPair) };
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

function wholeLine(before: TextLine | undefined, after: TextLine | undefined): ComparedLine {
  const pieces: Piece[] = [];
  if (before) pieces.push({ kind: "removed", text: before.text });
  if (after) pieces.push({ kind: "added", text: after.text });
  const shown = after ?? before;
  const change = !shown || shown.sort === "words" || (before && after) ? "" : after ? " added" : " removed";
  const links = (after?.stretches ?? []).flatMap(({ text, link }) => linkNotes(text, null, link));
  return { isChanged: true, label: `${shown?.label ?? ""}${change}`, pieces, notes: limited(links) };
}

function notesOf(before: TextLine, after: TextLine, pieces: readonly Piece[], followsPair: boolean): string[] {
  const notes = notesOfWords(before.stretches, after.stretches, pieces);
  for (const name of new Set([...Object.keys(before.details), ...Object.keys(after.details)])) {
    const [old, current] = [before.details[name] ?? "none", after.details[name] ?? "none"];
    if (old === current || name === LAYOUT || (name === ANCHOR && before.text !== after.text)) continue;
    notes.push(`${name} changed: ${old} → ${current}`);
  }
  if (notes.length > 0 || before.label !== after.label) return limited(notes);
  const isFormatted =
    before.around.join("") !== after.around.join("") ||
    (followsPair && before.joined !== after.joined) ||
    before.details[LAYOUT] !== after.details[LAYOUT];
  return isFormatted ? ["Formatting changed"] : [];
}

function notesOfWords(before: readonly Stretch[], after: readonly Stretch[], pieces: readonly Piece[]): string[] {
  const words: { text: string; before: Stretch | null; after: Stretch }[] = [];
  const [oldWalk, newWalk] = [walkOf(before), walkOf(after)];
  const none: Stretch = { text: "", marks: [], link: null };
  for (const { kind, text } of pieces) {
    for (let left = text.length; left > 0; ) {
      const old = kind === "added" ? null : oldWalk.at();
      const current = kind === "removed" ? null : newWalk.at();
      const length = Math.max(1, Math.min(left, old?.left ?? left, current?.left ?? left));
      if (current) {
        const last = words.at(-1);
        const part = text.slice(text.length - left, text.length - left + length);
        const [oldStretch, newStretch] = [old ? (old.stretch ?? none) : null, current.stretch ?? none];
        // Neighbors with the same notes share them.
        if (last && looksLike(last.after, newStretch) && looksLike(last.before, oldStretch)) last.text += part;
        else words.push({ text: part, before: oldStretch, after: newStretch });
      }
      if (old) oldWalk.pass(length);
      if (current) newWalk.pass(length);
      left -= length;
    }
  }
  const notes: { message: string; text: string }[] = [];
  const open: Record<"Now" | "No longer", { message: string; text: string } | null> = { Now: null, "No longer": null };
  for (const { text, before: old, after: current } of words) {
    const oldMarks = old?.marks ?? [];
    for (const [name, marks, others] of [
      ["Now", current.marks, oldMarks],
      ["No longer", oldMarks, current.marks],
    ] as const) {
      const names = marks
        .filter((mark) => !others.includes(mark))
        .map((mark) => MARK_NAMES[mark as keyof typeof MARK_NAMES]);
      const message = `${name} ${names.join(", ")}`;
      if (names.length > 0 && open[name]?.message === message) open[name].text += text;
      else open[name] = names.length > 0 ? { message, text } : null;
      if (open[name] && !notes.includes(open[name])) notes.push(open[name]);
    }
    for (const message of linkNotes(text, old?.link ?? null, current.link)) notes.push({ message, text: "" });
  }
  return notes.map(({ message, text }) => (text === "" ? message : `${message}: ${quoted(text)}`));
}

function walkOf(stretches: readonly Stretch[]) {
  let [index, passed] = [0, 0];
  return {
    at: () => ({ stretch: stretches[index], left: (stretches[index]?.text.length ?? Infinity) - passed }),
    pass(length: number) {
      passed += length;
      while (index < stretches.length && passed >= (stretches[index]?.text.length ?? 0)) {
        passed -= stretches[index]?.text.length ?? 0;
        index++;
      }
    },
  };
}

function looksLike(one: Stretch | null, other: Stretch | null): boolean {
  if (!one || !other) return one === other;
  return one.link === other.link && one.marks.join() === other.marks.join();
}

function linkNotes(text: string, before: string | null, after: string | null): string[] {
  if (before === after || text.trim() === "") return [];
  if (before === null) return [`Link added to ${quoted(text)}: ${after}`];
  if (after === null) return [`Link removed from ${quoted(text)}: ${before}`];
  return [`Link on ${quoted(text)} changed: ${before} → ${after}`];
}

function quoted(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return `“${line.length > MAX_QUOTED ? `${line.slice(0, MAX_QUOTED).replace(/[\ud800-\udbff]$/, "")} …` : line}”`;
}

function limited(notes: readonly string[]): string[] {
  const more = notes.length - MAX_NOTES;
  return more > 1 ? [...notes.slice(0, MAX_NOTES), `and ${more} more changes to formatting or links`] : [...notes];
}
