import { beforeAll, describe, expect, test } from "vitest";
import { readWorkspace } from "@/lib/db";
import { fragment, highlight } from "@/lib/search/highlights";
import { parseQuery } from "@/lib/search/query";
import { type SearchResult, searchArticles } from "@/lib/search/search";
import { wordsIn, wordsOf } from "@/lib/search/words";
import { aCategory, anArticle, aWorkspace, type TestWorkspace } from "@/testing/workspace";
import { drawing } from "@/tools/fuzz/draw";
import { aMixture, aSearchText, pieces } from "@/tools/fuzz/searches";
import { words } from "@/tools/fuzz/texts";

// The same texts in every run; FUZZ_SEED and FUZZ_TIMES draw other and more texts.
const seed = Number(process.env.FUZZ_SEED ?? 1);
const times = Number(process.env.FUZZ_TIMES ?? 1);
const timeout = 20_000 + 40_000 * times;

const ARTICLES = 30;
const OPEN = '<span class="article-matched-tag">';

/** Escaped HTML joins blanks of any kind. */
const asShown = (text: string) => text.replace(/\s+/g, " ").trim();
const plain = (html: string) =>
  html
    .replaceAll(OPEN, "")
    .replaceAll("</span>", "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");

/** A highlight must be escaped text with at least one mark and without nested marks. */
function faultOf(html: string | null): string | null {
  if (html === null) return null;
  if (!html.includes(OPEN)) return `no mark: ${html}`;
  const unmarked = html.replaceAll(new RegExp(`${OPEN}([^<]+)</span>`, "g"), "$1");
  if (/[<>"']|&(?!(?:amp|lt|gt|quot|#39);)/.test(unmarked)) return `not escaped: ${html}`;
  return !/\p{Surrogate}/u.test(html) ? null : `half a character: ${JSON.stringify(html)}`;
}

interface Stored {
  id: string;
  title: string;
}

let workspace: TestWorkspace;
const stored: Stored[] = [];

const search = (text: string, limit = ARTICLES, offset = 0): Promise<SearchResult> =>
  readWorkspace(workspace.id, (read) => searchArticles(read, workspace.id, text, { limit, offset }));

describe("whatever is searched", () => {
  beforeAll(async () => {
    workspace = await aWorkspace();
    const categories = [];
    for (let index = 0; index < 6; index++) {
      const name = aMixture(drawing(seed, 1_000_000 + index), 4);
      categories.push(
        await aCategory(workspace, { name: [...name].slice(0, 200).join(""), slug: `category-${index}` }),
      );
    }
    // Each of these once took seconds or minutes to search or to save.
    const long = [
      "lorem ipsum dolor ".repeat(16_667),
      `e${"\u0301".repeat(299_999)}`,
      `e${"\u0301\u0316".repeat(30_000)}1`,
      "aB".repeat(30_000),
      "a-".repeat(30_000),
      "検索".repeat(30_000),
      // More different pairs than a tsvector can hold.
      Array.from({ length: 150_000 }, (_, at) => String.fromCodePoint(0x4e00 + ((at * 7_919) % 20_000))).join(""),
    ];
    for (let index = 0; index < ARTICLES; index++) {
      const draw = drawing(seed, 2_000_000 + index);
      const title = [...`${aMixture(draw, 6).replaceAll("\0", "")} ${index}`].slice(0, 300).join("");
      const text = long[index] ?? Array.from({ length: 30 }, () => aMixture(draw, 6)).join(" ");
      const html = `<p>${text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</p>`;
      const keywords = draw.some([...pieces, ...words], 0, 4).map((word) => word.trim() || "x");
      const category = categories[index % categories.length] as { id: string; name: string };
      const { id } = await anArticle(workspace, { title, slug: `article-${index}`, html, keywords, category });
      stored.push({ id, title });
    }
  }, 120_000);

  test(
    "is answered, with highlights that are marked and escaped, on pages that add up to the total",
    async () => {
      for (let index = 0; index < 60 * times; index++) {
        const draw = drawing(seed, index);
        let text = aSearchText(draw);
        // A URL cannot carry these, other callers can.
        if (draw.chance(0.1)) text += draw.pick(["\0", "\ud800", "\udc00a", "a\0b"]);
        const note = `FUZZ_SEED=${seed}, text ${index}: ${JSON.stringify(text)}`;
        const found = await search(text).catch((error: Error) => {
          throw new Error(note, { cause: error });
        });
        const seen: string[] = [];
        for (let offset = 0; offset < found.total; offset += 17) {
          const page = await search(text, 17, offset);
          expect([note, page.total, page.correctedTerm]).toEqual([note, found.total, found.correctedTerm]);
          seen.push(...page.matches.map(({ id }) => id));
        }
        expect([note, seen]).toEqual([note, found.matches.map(({ id }) => id)]);
        expect([note, new Set(seen).size]).toEqual([note, found.total]);
        for (const { title, category, ...match } of found.matches) {
          const marked = [match.matchedTitle, match.matchedContent, match.matchedCategory];
          expect([note, ...marked.map(faultOf)]).toEqual([note, null, null, null]);
          if (match.matchedTitle) expect([note, plain(match.matchedTitle)]).toEqual([note, asShown(title)]);
          if (match.matchedCategory)
            expect([note, plain(match.matchedCategory)]).toEqual([note, asShown(category.name)]);
          if (match.matchedContent) expect(plain(match.matchedContent).length).toBeLessThanOrEqual(300);
        }
      }
    },
    timeout,
  );

  test(
    "finds every article by the beginnings of each word of its title, and marks it there",
    async () => {
      const all = stored.flatMap(({ id, title }) =>
        [...new Set(wordsOf(title))].flatMap((word) => {
          const letters = [...word];
          return letters.map((_, last) => ({ id, title, word, beginning: letters.slice(0, last + 1).join("") }));
        }),
      );
      const draw = drawing(seed, 4_000_000);
      for (const { id, title, word, beginning } of draw.some(all, 80 * times, 80 * times)) {
        if (parseQuery(beginning).groups.length === 0) continue;
        const { matches, correctedTerm } = await search(beginning);
        const match = matches.find((other) => other.id === id);
        const said = { title, word, beginning, found: match !== undefined, marked: Boolean(match?.matchedTitle) };
        expect({ ...said, correctedTerm }).toMatchObject({ ...said, found: true, marked: true });
      }
    },
    timeout,
  );
});

describe("a text of any pieces", () => {
  const sought = (text: string) =>
    parseQuery(text).groups.flatMap((ways, group) => ways.flat().map((word) => ({ ...word, group })));

  test(
    "has words that are letters, marks and digits alone, and the same when they are folded once more",
    () => {
      for (let index = 0; index < 1_500 * times; index++) {
        const text = aSearchText(drawing(seed, 5_000_000 + index)).slice(0, 1_000);
        for (const { folded, start, end } of wordsIn(text)) {
          expect([text, folded]).toEqual([text, expect.stringMatching(/^[\p{L}\p{M}\p{N}]+$/u)]);
          expect([text, folded, start < end && end <= text.length]).toEqual([text, folded, true]);
          expect([text, wordsOf(folded).join("")]).toEqual([text, folded]);
        }
      }
    },
    timeout,
  );

  test(
    "is marked without losing or doubling anything",
    () => {
      for (let index = 0; index < 1_000 * times; index++) {
        const draw = drawing(seed, 6_000_000 + index);
        const text = aMixture(draw, 8);
        const words = sought(draw.chance(0.5) ? aMixture(draw, 4) : draw.some(wordsOf(text), 1, 3).join(" "));
        const marked = highlight(text, words);
        expect([text, faultOf(marked)]).toEqual([text, null]);
        if (marked !== null) expect(plain(marked)).toBe(asShown(text));
        const long = `${text}${draw.pick([" ", "", "x", "検", "🎉"]).repeat(draw.int(0, 400))}${aMixture(draw, 8)}`;
        const piece = fragment(long, words);
        expect([long, faultOf(piece?.html ?? null)]).toEqual([long, null]);
        expect([long, asShown(long).includes(plain(piece?.html ?? ""))]).toEqual([long, true]);
        expect(plain(piece?.html ?? "").length).toBeLessThanOrEqual(300);
      }
    },
    timeout,
  );
});
