import { expect, test } from "vitest";
import { inWorkspace, readWorkspace } from "@/lib/db";
import { reindexArticles, reindexWorkspace } from "@/lib/search/reindex";
import { searchArticles } from "@/lib/search/search";
import { aCategory, anArticle, aWorkspace, type TestWorkspace, whileOpen } from "@/testing/workspace";

const documents = ({ id }: TestWorkspace) =>
  readWorkspace(id, (read) =>
    read("SELECT id, published, updated_at, title, words::text FROM search_documents ORDER BY id"),
  );

test("lost and wrong documents are as they were again, of this workspace alone", async () => {
  const [mine, other] = [await aWorkspace(), await aWorkspace()];
  for (const workspace of [mine, other]) {
    const category = await aCategory(workspace, { name: "Guides" });
    await anArticle(workspace, { category, title: "Live", html: "<p>Seen by readers</p>", keywords: ["ink"] });
    await anArticle(workspace, { category, title: "Draft", state: "draft", html: "<p>Not yet</p>" });
    await anArticle(workspace, { category, title: "Lost" });
  }
  const before = [await documents(mine), await documents(other)];
  for (const workspace of [mine, other]) {
    await inWorkspace(workspace.id, async (db) => {
      await db.$executeRaw`UPDATE search_documents SET words = 'wrong:1A', published = NOT published WHERE title <> 'lost'`;
      await db.$executeRaw`DELETE FROM search_documents WHERE title = 'lost'`;
    });
  }
  const damaged = await documents(other);
  expect(damaged).not.toEqual(before[1]);
  const progress: [number, number][] = [];
  expect(await reindexWorkspace(mine.id, (...args) => progress.push(args))).toBe(3);
  expect(progress).toEqual([[3, 3]]);
  expect(await documents(mine)).toEqual(before[0]);
  expect(await documents(other)).toEqual(damaged);
});

test("a reindex that waits for a writer keeps the words of the newer text", async () => {
  const workspace = await aWorkspace();
  const { id } = await anArticle(workspace, { category: await aCategory(workspace), title: "Walrus" });
  await whileOpen(
    workspace.id,
    async (db) => {
      await db.articleLive.updateMany({ where: { id }, data: { title: "Narwhal" } });
      await reindexArticles(db, [id]);
    },
    () => reindexWorkspace(workspace.id),
  );
  const found = await readWorkspace(workspace.id, (read) =>
    searchArticles(read, workspace.id, "narwhal", { limit: 9, offset: 0 }),
  );
  expect(found).toMatchObject({ total: 1, correctedTerm: null });
});

test("a long word of any script has a document that can be stored", async () => {
  const workspace = await aWorkspace();
  // Each of these letters is two code units, and one word is cut between two.
  const html = `<p>${"\u{10330}".repeat(80)} a${"\u{10330}".repeat(80)}</p>`;
  await anArticle(workspace, { category: await aCategory(workspace), html });
  expect(await documents(workspace)).toHaveLength(1);
});

test("a text of any length has a document that can be stored", async () => {
  const workspace = await aWorkspace();
  const category = await aCategory(workspace);
  const words = Array.from({ length: 100_000 }, (_, index) => `w${index.toString(36).replace(/\d/g, "x")}${index}`);
  const html = `<p>${words.join(" ")}</p>`;
  await anArticle(workspace, { category, html });
  expect(await documents(workspace)).toHaveLength(1);
});

const words = ({ id }: TestWorkspace) =>
  readWorkspace(id, async (read) =>
    (await read<{ word: string }>("SELECT word FROM search_words ORDER BY word")).map(({ word }) => word),
  );

/** Exactly these words, learned long ago. */
const learnedLongAgo = ({ id }: TestWorkspace, ...learned: string[]) =>
  inWorkspace(id, async (db) => {
    await db.$executeRaw`DELETE FROM search_words`;
    await db.$executeRaw`INSERT INTO search_words (word, spelling, added_at)
      SELECT word, word, now() - interval '2 hours' FROM unnest(${learned}::text[]) word`;
  });

test("a reindex forgets the words that left with their articles, and keeps those that are there, once", async () => {
  const workspace = await aWorkspace();
  await anArticle(workspace, { category: await aCategory(workspace, { name: "Guides" }), title: "Walrus", slug: "w" });
  await learnedLongAgo(workspace, "narwhal", "walrus", "guides");
  await inWorkspace(
    workspace.id,
    (db) => db.$executeRaw`INSERT INTO search_words (word, spelling) VALUES ('walrus', 'wálrus'), ('walrus', 'walrus')`,
  );
  expect(await words(workspace)).toEqual(["guides", "narwhal", "walrus", "walrus", "walrus"]);
  await reindexWorkspace(workspace.id);
  expect(await words(workspace)).toEqual(["guides", "nothing", "walrus", "yet"]);
});

test("a reindex keeps the words of articles that are stored or change meanwhile, whatever date they have", async () => {
  const workspace = await aWorkspace();
  const category = await aCategory(workspace, { name: "Guides" });
  const { id } = await anArticle(workspace, { category, title: "Walrus" });
  await learnedLongAgo(workspace, "narwhal", "walrus", "beluga");
  await whileOpen(
    workspace.id,
    async (db) => {
      await db.$queryRaw`SELECT id FROM articles WHERE id = ${id}::uuid FOR UPDATE`;
      await anArticle(workspace, { category, title: "Narwhal", updatedAt: new Date("2020-01-01") }, db);
    },
    () => reindexWorkspace(workspace.id),
  );
  expect(await words(workspace)).toEqual(["guides", "narwhal", "nothing", "walrus", "yet"]);
});
