import { diffArrays, diffWordsWithSpace } from "diff";
import { cleanTree, printed } from "@/lib/content/content";
import { ANCHOR, LAYOUT, linesOf, type Stretch, type TextLine } from "@/lib/content/lines";
import type { MarkName } from "@/lib/content/schema";

/** A piece of a text: in both, only in the later one, or only in the former one. */
export interface Piece {
  kind: "same" | "added" | "removed";
  text: string;
}

/** A line of two texts: a paragraph, a heading, an item of a list, an image. */
export interface ComparedLine {
  isChanged: boolean;
  /** What it is: "Paragraph", "Image added", "Heading 3, before: heading 2". */
  is: string;
  pieces: Piece[];
  /** What else has changed, a sentence each: its format, its links. */
  notes: string[];
}

/** Two texts, line by line. */
export interface ComparedTexts {
  lines: ComparedLine[];
  /** The time was over before all was told apart: some lines stand there whole, as removed and added, that have much in common. */
  isRough: boolean;
  /** No line differs, and yet the texts do. */
  isUnnamed: boolean;
}

/** How long two texts may be compared, in milliseconds: nothing else is answered meanwhile. */
const PATIENCE_MS = 1_000;
/** How much of that the words of one line may take. */
const LINE_MS = 200;

/** How much is said of one line, and how many of the words that it is said of. */
const MOST_NOTES = 8;
const MOST_QUOTED = 60;

const MARK_NAMES: Record<Exclude<MarkName, "a">, string> = {
  ...{ strong: "bold", em: "italic", u: "underlined", s: "struck through", mark: "highlighted" },
  ...{ sub: "below the line", sup: "above the line", kbd: "a key", code: "code" },
};

/**
 * Compares two articles' HTML line by line, and the words of lines that changed: all that a reader would see as changed.
 * @param patience how long the words may take, in milliseconds
 */
export function comparedTexts(before: string, after: string, patience = PATIENCE_MS): ComparedTexts {
  const was = cleanTree(before).root;
  const is = before === after ? was : cleanTree(after).root;
  const compared = comparedLines(linesOf(was), linesOf(is), patience);
  const isUnnamed = !compared.lines.some(({ isChanged }) => isChanged) && was !== is && printed(was) !== printed(is);
  return { ...compared, isUnnamed };
}

function comparedLines(
  former: readonly TextLine[],
  later: readonly TextLine[],
  patience: number,
): Omit<ComparedTexts, "isUnnamed"> {
  const end = performance.now() + patience;
  const lines: ComparedLine[] = [];
  let isRough = false;
  /** How many lines of both are told apart, and whether the last ones stood beside each other. */
  let [wasAt, isAt, areBeside] = [0, 0, true];
  const tell = (was: TextLine | undefined, is: TextLine | undefined) => {
    const line = comparedLine(was, is, areBeside, Math.min(LINE_MS, end - performance.now()));
    lines.push(line ?? wholeLine(was, is));
    isRough ||= line === null;
    areBeside = was !== undefined && is !== undefined;
    if (was) wasAt++;
    if (is) isAt++;
  };
  const pair = (wasEnd: number, isEnd: number) => {
    while (wasAt < wasEnd || isAt < isEnd) {
      const was = wasAt < wasEnd ? former[wasAt] : undefined;
      const is = isAt < isEnd ? later[isAt] : undefined;
      // An image is compared with an image, a text with a text.
      const areAlike = !was || !is || was.sort === is.sort;
      if (areAlike) tell(was, is);
      else if (is.sort === "words") tell(was, undefined);
      else tell(undefined, is);
    }
  };
  // Half of the time is for finding which lines are the same, so that some is left for their words.
  const parts = diffArrays(former.map(keyOf), later.map(keyOf), { timeout: patience / 2 }) as
    | { count: number; added: boolean; removed: boolean }[]
    | undefined;
  if (!parts) {
    pair(former.length, later.length);
    return { lines, isRough: true };
  }
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at];
    if (!part) continue;
    const next = parts[at + 1];
    if (part.removed && next?.added) {
      pair(wasAt + part.count, isAt + next.count);
      at++;
    } else pair(wasAt + (part.added ? 0 : part.count), isAt + (part.removed ? 0 : part.count));
  }
  return { lines, isRough };
}

const keyOf = ({ sort, text }: TextLine) => `${sort} ${text}`;

/**
 * A line beside the one that is at its place, or alone; null when its words take too long.
 * @param areBeside whether the lines before them stand beside each other too
 */
function comparedLine(
  was: TextLine | undefined,
  is: TextLine | undefined,
  areBeside: boolean,
  patience: number,
): ComparedLine | null {
  if (was === undefined || is === undefined) return wholeLine(was, is);
  if (was.text === is.text) {
    const notes = notesOf(was, is, [{ kind: "same", text: is.text }], areBeside);
    const isChanged = was.is !== is.is || notes.length > 0;
    return { isChanged, is: becameOf(was, is), pieces: [{ kind: "same", text: is.text }], notes };
  }
  const words = (patience > 0 ? diffWordsWithSpace(was.text, is.text, { timeout: patience }) : undefined) as
    | { value: string; added: boolean; removed: boolean }[]
    | undefined;
  if (!words) return null;
  const pieces = words.map(({ value, added, removed }): Piece => {
    return { kind: added ? "added" : removed ? "removed" : "same", text: value };
  });
  return { isChanged: true, is: becameOf(was, is), pieces, notes: notesOf(was, is, pieces, areBeside) };
}

/** What a line is, and was where that is something else. */
function becameOf(was: TextLine, is: TextLine): string {
  return was.is === is.is ? is.is : `${is.is}, before: ${was.is.charAt(0).toLowerCase()}${was.is.slice(1)}`;
}

function wholeLine(was: TextLine | undefined, is: TextLine | undefined): ComparedLine {
  const pieces: Piece[] = [];
  if (was !== undefined) pieces.push({ kind: "removed", text: was.text });
  if (is !== undefined) pieces.push({ kind: "added", text: is.text });
  const told = is ?? was;
  const became = !told || told.sort === "words" || (was && is) ? "" : is ? " added" : " taken away";
  const linked = (is?.stretches ?? []).flatMap(({ text, link }) => noteOfLink(text, null, link));
  return { isChanged: true, is: `${told?.is ?? ""}${became}`, pieces, notes: atMost(linked) };
}

/** What two lines differ in beside their words. */
function notesOf(was: TextLine, is: TextLine, pieces: readonly Piece[], areBeside: boolean): string[] {
  const notes = notesOfWords(was.stretches, is.stretches, pieces);
  for (const name of new Set([...Object.keys(was.details), ...Object.keys(is.details)])) {
    const [before, after] = [was.details[name] ?? "none", is.details[name] ?? "none"];
    if (before === after || name === LAYOUT || (name === ANCHOR && was.text !== is.text)) continue;
    notes.push(`${name} changed: ${before} → ${after}`);
  }
  const isElsewhere = was.around.join("") !== is.around.join("") || (areBeside && was.joined !== is.joined);
  const isTold = notes.length > 0 || was.is !== is.is;
  if (!isTold && (isElsewhere || was.details[LAYOUT] !== is.details[LAYOUT])) notes.push("Formatting changed");
  return atMost(notes);
}

/** What words that stayed have become, and how words look that were added to a line. */
function notesOfWords(was: readonly Stretch[], is: readonly Stretch[], pieces: readonly Piece[]): string[] {
  const found: { text: string; was: Stretch | null; is: Stretch }[] = [];
  const [before, after] = [walkOf(was), walkOf(is)];
  const none: Stretch = { text: "", marks: [], link: null };
  for (const { kind, text } of pieces) {
    for (let left = text.length; left > 0; ) {
      const [one, other] = [kind === "added" ? null : before.at(), kind === "removed" ? null : after.at()];
      const length = Math.max(1, Math.min(left, one?.left ?? left, other?.left ?? left));
      if (other) {
        const stretch = other.stretch ?? none;
        const last = found.at(-1);
        const part = text.slice(text.length - left, text.length - left + length);
        const beside = one ? (one.stretch ?? none) : null;
        // Neighbours of which the same is to be said are one.
        if (last && looksLike(last.is, stretch) && looksLike(last.was, beside)) last.text += part;
        else found.push({ text: part, was: beside, is: stretch });
      }
      if (one) before.pass(length);
      if (other) after.pass(length);
      left -= length;
    }
  }
  const notes: { says: string; text: string }[] = [];
  const open: Record<"Now" | "No longer", { says: string; text: string } | null> = { Now: null, "No longer": null };
  for (const { text, was: one, is: other } of found) {
    for (const [name, of, not] of [
      ["Now", other.marks, one?.marks ?? []],
      ["No longer", one?.marks ?? [], other.marks],
    ] as const) {
      const names = of.filter((mark) => !not.includes(mark)).map((mark) => MARK_NAMES[mark as keyof typeof MARK_NAMES]);
      const says = `${name} ${names.join(", ")}`;
      // Of neighbours that differ in their links, too.
      if (names.length > 0 && open[name]?.says === says) open[name].text += text;
      else open[name] = names.length > 0 ? { says, text } : null;
      if (open[name] && !notes.includes(open[name])) notes.push(open[name]);
    }
    for (const says of noteOfLink(text, one?.link ?? null, other.link)) notes.push({ says, text: "" });
  }
  return notes.map(({ says, text }) => (text === "" ? says : `${says}: ${quoted(text)}`));
}

/** Passes through stretches by the character. */
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

function noteOfLink(text: string, was: string | null, is: string | null): string[] {
  if (was === is || text.trim() === "") return [];
  if (was === null) return [`Link added to ${quoted(text)}: ${is}`];
  if (is === null) return [`Link of ${quoted(text)} taken away: ${was}`];
  return [`Link of ${quoted(text)} changed: ${was} → ${is}`];
}

function quoted(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return `“${line.length > MOST_QUOTED ? `${line.slice(0, MOST_QUOTED).replace(/[\ud800-\udbff]$/, "")} …` : line}”`;
}

function atMost(notes: readonly string[]): string[] {
  const more = notes.length - MOST_NOTES;
  return more > 1 ? [...notes.slice(0, MOST_NOTES), `and ${more} more changes of format or links`] : [...notes];
}
