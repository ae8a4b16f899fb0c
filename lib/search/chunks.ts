import type { Heading } from "@/lib/content/headings";
import { SEARCHED_CHARACTERS } from "./documents";

export interface ChunkedArticle {
  title: string;
  metaDescription: string | null;
  headings: readonly Pick<Heading, "text">[];
  /** One line per paragraph. */
  text: string;
}

/** About 200 words, which even models with a short context read to the end. */
const SIZE = 1_200;
/** A section begins a chunk of its own once the chunk before it has this size. */
const ENOUGH = SIZE / 2;
/** A character of these scripts says as much as three letters. */
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/gu;

const sentences = new Intl.Segmenter("en", { granularity: "sentence" });

/** The parts of an article that get a vector each, at least one. Each begins with title, description and heading. */
export function chunksOf({ title, metaDescription, headings, text }: ChunkedArticle): string[] {
  const names = new Set(headings.map((heading) => heading.text.trim()));
  const chunks: string[] = [];
  let heading = "";
  let lines: string[] = [];
  let size = 0;
  const end = () => {
    if (lines.length > 0) chunks.push([title, metaDescription, heading, ...lines].filter(Boolean).join("\n"));
    lines = [];
    size = 0;
  };
  for (const line of text.slice(0, SEARCHED_CHARACTERS).split("\n")) {
    const written = line.trim();
    if (names.has(written)) {
      if (size >= ENOUGH) end();
      if (lines.length === 0) heading = written;
      else lines.push(written);
      continue;
    }
    for (const piece of piecesOf(written)) {
      if (size > 0 && size + sizeOf(piece) > SIZE) end();
      lines.push(piece);
      size += sizeOf(piece);
    }
  }
  end();
  return chunks.length > 0 ? chunks : [[title, metaDescription].filter(Boolean).join("\n")];
}

const sizeOf = (text: string) => text.length + 2 * (text.match(DENSE)?.length ?? 0);

/** A long paragraph by sentences, a long sentence by characters. */
function piecesOf(line: string): string[] {
  if (line === "") return [];
  if (sizeOf(line) <= SIZE) return [line];
  return Array.from(sentences.segment(line), ({ segment }) => segment.trim()).flatMap((sentence) =>
    sizeOf(sentence) <= SIZE ? sentence || [] : (sentence.match(/[^]{1,400}/gu) ?? []),
  );
}
