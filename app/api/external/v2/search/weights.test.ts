import { randomBytes } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { paths } from "@/app/api/external/v2/_document/operations";
import { aCategory, anArticle, aWorkspace, call, type TestWorkspace } from "@/testing/workspace";

// If two articles have the word in one field each, the one with the heavier field comes first.

const fields = ["title", "content", "slug", "category name", "keywords"] as const;
type Field = (typeof fields)[number];
const pairs = fields.flatMap((heavier, index) => fields.slice(index + 1).map((lighter) => ({ heavier, lighter })));

/** Random words that resemble no others. */
const draw = (characters: string, count: number) =>
  [...randomBytes(count)].map((byte) => [...characters][byte % [...characters].length]).join("");
const latin = () => draw("abcdefghklmnoprstuvz", 12);
const accented = () => `é${latin()}ü`;
const japanese = () => draw("検索請求設定通知招待認証暗号復元履歴監査権限", 6);

interface Case {
  name: string;
  /** The search text. */
  word: () => string;
  /** How often the lighter field contains the word, as far as it can. */
  times?: number;
  /** The texts after it in the heavier and the lighter field. */
  ends?: { heavier: string; lighter: string };
  /** A field that cannot contain the word. */
  without?: Field;
}
const cases: Case[] = [
  { name: "a word", word: latin },
  { name: "a word that the lighter field has twenty times", word: latin, times: 20 },
  { name: "the beginning of a word", word: latin, ends: { heavier: "land", lighter: "land" } },
  { name: "the beginning of a word, whole in the lighter field", word: latin, ends: { heavier: "land", lighter: "" } },
  { name: "an accented word", word: accented },
  { name: "an accented word that the lighter field has twenty times", word: accented, times: 20 },
  { name: "a Japanese word", word: japanese, without: "slug" },
  { name: "a Japanese word that the lighter field has twenty times", word: japanese, without: "slug", times: 20 },
];

describe.each(cases)("of $name", ({ word: drawn, times = 1, ends, without }) => {
  let workspace: TestWorkspace;
  let category: Awaited<ReturnType<typeof aCategory>>;

  // A separate workspace, and so a separate limit of searches (contract 55).
  beforeAll(async () => {
    workspace = await aWorkspace();
    category = await aCategory(workspace, { name: "Lectern" });
  });

  test.each(pairs.filter((pair) => !Object.values(pair).some((field) => field === without)))(
    "$heavier before $lighter, whichever was written first",
    async ({ heavier, lighter }) => {
      for (const isHeavierFirst of [true, false]) {
        const word = drawn();
        const write = [
          () => articleWith(heavier, word + (ends?.heavier ?? ""), "Heavier", 1),
          () => articleWith(lighter, word + (ends?.lighter ?? ""), "Lighter", times),
        ];
        for (const make of isHeavierFirst ? write : write.reverse()) await make();
        const path = `/api/external/v2/search?search_term=${encodeURIComponent(word)}`;
        const { body } = await call(paths["/search"], workspace, path);
        const found = body.matches.map(({ title }: { title: string }) => title.split(" ")[0]);
        expect(found).toEqual(["Heavier", "Lighter"]);
      }
    },
  );

  /** An article with the word in that field only. */
  async function articleWith(field: Field, word: string, title: string, times: number) {
    const repeated = (count: number, between: string) => Array(count).fill(word).join(between);
    const ofAtMost = (length: number) => Math.min(times, Math.floor(length / (word.length + 1)));
    const slug = latin();
    const fields = {
      title: { title: `${title} ${word}` },
      content: { html: `<p>Here is ${repeated(times, " ")}.</p>` },
      slug: { slug: repeated(ofAtMost(100), "-").normalize("NFD").replace(/\p{M}/gu, "") },
      "category name": { category: { name: repeated(ofAtMost(200), " "), slug } },
      keywords: { keywords: Array<string>(times).fill(word) },
    }[field];
    const own = "category" in fields ? await aCategory(workspace, fields.category) : category;
    await anArticle(workspace, { title, slug, ...fields, category: own });
  }
});
