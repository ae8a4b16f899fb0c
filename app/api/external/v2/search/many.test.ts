import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { paths } from "@/app/api/external/v2/_document/operations";
import { emptyText } from "@/lib/articles/article-text";
import { storeArticles } from "@/lib/articles/store";
import { contentFromHtml } from "@/lib/content/content";
import { derivedText } from "@/lib/content/derive";
import { acrossWorkspaces, inWorkspace, readingOf, readWorkspace } from "@/lib/db";
import { parseQuery, stagesOf } from "@/lib/search/query";
import { searchArticles } from "@/lib/search/search";
import { aCategory, aWorkspace, call, type TestWorkspace } from "@/testing/workspace";

// search_rank ranks up to 400 matches one by one, and looks up more by fields. Both give the same order across pages.

const MORE = 430;

let workspace: TestWorkspace;
let category: Awaited<ReturnType<typeof aCategory>>;
const inTitle: string[] = [];
const ids: string[] = [];

beforeAll(async () => {
  workspace = await aWorkspace();
  category = await aCategory(workspace);
  const bodies = await Promise.all(
    [
      "<p>A heron waits by the river.</p>",
      "<p>By the river, long after dawn, waits a heron.</p>",
      "<p>Nothing.</p>",
    ].map((html) => derivedText(contentFromHtml(html))),
  );
  const titled = (index: number) => index % 10 === 3;
  const made = await store(workspace, category, MORE, (index) =>
    titled(index)
      ? { title: `Common heron by the river ${index}`, body: bodies[2]! }
      : { title: `Common bird ${index}`, body: bodies[index % 2]! },
  );
  ids.push(...made);
  inTitle.push(...made.filter((_, index) => titled(index)));
});

/** Stores articles, the oldest first, and returns their ids. */
async function store(
  { id: workspaceId, admin }: TestWorkspace,
  category: { id: string; name: string },
  count: number,
  textOf: (index: number) => { title: string; body: Awaited<ReturnType<typeof derivedText>> },
  first = 0,
): Promise<string[]> {
  const articles = Array.from({ length: count }, (_, number) => first + number).map((index) => ({
    id: randomUUID(),
    slug: `article-${index}`,
    state: "published" as const,
    category,
    sequence: index,
    ...emptyText,
    authorId: admin.id,
    tags: [],
    relatedIds: [],
    ...textOf(index),
    createdAt: null,
    updatedAt: new Date(Date.UTC(2026, 0, 1, 0, index)),
    source: null,
  }));
  await inWorkspace(workspaceId, (db) => storeArticles(db, articles));
  return articles.map(({ id }) => id);
}

const page = { limit: 10, offset: 0 };

async function found(text: string, hidden: string[] = []): Promise<number> {
  const { total } = await readWorkspace(workspace.id, (read) =>
    searchArticles(read, workspace.id, text, { ...page, hidden }),
  );
  return total;
}

async function everyPage(term: string, home = workspace): Promise<{ found: string[]; totals: Set<number> }> {
  const found: string[] = [];
  const totals = new Set<number>();
  for (let page = 1; page <= 9; page++) {
    const path = `/api/external/v2/search?search_term=${term}&page_size=50&page_number=${page}`;
    const { body } = await call(paths["/search"], home, path);
    found.push(...body.matches.map(({ id }: { id: string }) => id));
    totals.add(body.pagination.total_records);
  }
  return { found, totals };
}

test("hundreds of matches are paged without one twice or left out, those with the words in the title first", async () => {
  for (const term of ["heron", "heron river"]) {
    const { found, totals } = await everyPage(encodeURIComponent(term));
    expect([...totals]).toEqual([MORE]);
    expect([...found].sort()).toEqual([...ids].sort());
    expect(found.slice(0, inTitle.length).sort()).toEqual([...inTitle].sort());
  }
});

test("what an open transaction has changed is found within it, and by nobody else when it is rolled back", async () => {
  expect(await found("common")).toBe(MORE);
  const undone = inWorkspace(workspace.id, async (db) => {
    const within = () => searchArticles(readingOf(db), workspace.id, "common", page).then(({ total }) => total);
    const before = await within();
    await db.searchDocument.updateMany({ data: { published: false } });
    throw new Error(`Undone: ${before}, then ${await within()}`);
  });
  await expect(undone).rejects.toThrow(`Undone: ${MORE}, then 0`);
  expect(await found("common")).toBe(MORE);
});

test("what was found for some is not shown to those for whom it is not", async () => {
  for (const hidden of [[], [category.id], []])
    expect([hidden, await found("common", hidden)]).toEqual([hidden, hidden.length > 0 ? 0 : MORE]);
});

test("nothing is found in categories that are not for who asks, nor is it counted or corrected to", async () => {
  const seen = (hidden: string[], text: string) =>
    readWorkspace(workspace.id, async (read) => {
      const { total, correctedTerm } = await searchArticles(read, workspace.id, text, { ...page, hidden });
      return { total, correctedTerm };
    });
  expect((await seen([], "heron")).total).toBeGreaterThan(300);
  expect(await seen([], "herron")).toMatchObject({ correctedTerm: "heron" });
  for (const text of ["heron", "herron"])
    expect(await seen([category.id], text)).toEqual({ total: 0, correctedTerm: null });
});

test("the total and the order hold when articles are unpublished until one by one is ranked", async () => {
  const before = (await everyPage("heron")).found;
  const gone = new Set(ids.filter((_, index) => index % 12 === 1));
  expect(MORE - gone.size).toBeLessThan(400);
  await inWorkspace(workspace.id, async (db) => {
    await db.article.updateMany({ where: { id: { in: [...gone] } }, data: { state: "draft" } });
    await db.searchDocument.updateMany({ where: { id: { in: [...gone] } }, data: { published: false } });
  });
  const after = await everyPage("heron");
  expect([...after.totals]).toEqual([MORE - gone.size]);
  expect(after.found).toEqual(before.filter((id) => !gone.has(id)));
});

test("of hundreds of titles with a beginning, those come first that have it whole, then those that begin with it", async () => {
  const other = await aWorkspace();
  const body = await derivedText(contentFromHtml("<p>Nothing.</p>"));
  const titles = ["Grey heron", "Heron", "Of her nest", "Her nest"];
  const made = await store(other, await aCategory(other), MORE, (index) => ({
    title: `${titles[index % 4]} ${100 + index}`,
    body,
  }));
  // Equal matches: the newest first.
  const inOrder = [3, 2, 1, 0].flatMap((kind) => made.filter((_, index) => index % 4 === kind).reverse());
  const { ids, total } = await readWorkspace(other.id, async (read) => {
    const { matches, total } = await searchArticles(read, other.id, "her", { limit: MORE, offset: 0 });
    return { ids: matches.map(({ id }) => id), total };
  });
  expect(total).toBe(MORE);
  expect(ids).toEqual(inOrder);

  // Words that begin with the letter come first.
  const [shorter, shortest, longest, middle] = [0, 1, 2, 3].map((kind) =>
    made.filter((_, index) => index % 4 === kind).reverse(),
  );
  const { found, totals } = await everyPage("h", other);
  expect([...totals]).toEqual([MORE]);
  expect(found).toEqual([shortest, middle, shorter, longest].flat());
});

test("of one letter or digit, those that have it as a part of a word are not shown again with those that begin with it", async () => {
  const other = await aWorkspace();
  const body = await derivedText(contentFromHtml("<p>Nothing.</p>"));
  const titles = ["3D export in v3", "3D export", "In v3, longer than others", "30 days"];
  const made = await store(other, await aCategory(other), MORE, (index) => ({
    title: `${titles[index % 4]} ${1000 + index}`,
    body,
  }));
  const [both, second, part, first] = [0, 1, 2, 3].map((kind) =>
    made.filter((_, index) => index % 4 === kind).reverse(),
  );
  const { found, totals } = await everyPage("3", other);
  expect([...totals]).toEqual([MORE]);
  expect(found).toEqual([both, part, first, second].flat());
});

test("of hundreds, those that have the words side by side come first, page by page", async () => {
  const other = await aWorkspace();
  const bodies = await Promise.all(
    [
      "<p>A heron, grey as it is.</p>",
      "<p>Heron. Grey.</p>",
      "<p>It may be grey or not, and white: a grey heron.</p>",
    ].map((html) => derivedText(contentFromHtml(html))),
  );
  const beside = (index: number) => index % 7 === 0;
  const made = await store(other, await aCategory(other), MORE, (index) => ({
    title: `Bird ${index}`,
    body: bodies[beside(index) ? 2 : index % 2]!,
  }));
  const { found, totals } = await everyPage("grey%20heron", other);
  expect([...totals]).toEqual([MORE]);
  const first = made.filter((_, index) => beside(index));
  expect(first.length).toBeGreaterThan(50);
  expect(found.slice(0, first.length).sort()).toEqual([...first].sort());
  expect([...found].sort()).toEqual([...made].sort());
});

test("the newest that have the words are the same in each way of looking for them", async () => {
  const other = await aWorkspace();
  const shown = await aCategory(other, { name: "Shown" });
  const hidden = await aCategory(other, { name: "Hidden" });
  const [heron, grey] = await Promise.all(
    ["<p>A heron waits.</p>", "<p>Grey, it waits. A heron?</p>"].map((html) => derivedText(contentFromHtml(html))),
  );
  const textOf = (index: number) => ({ title: `Bird ${index}`, body: index % 3 === 0 ? grey! : heron! });
  const made = await store(other, shown, 250, textOf);
  await store(other, hidden, 50, textOf, 250);
  const asOf = (text: string) => stagesOf(other.id, [parseQuery(text)]);
  const needed = asOf("heron waits").stages[0]?.pairs ?? "";
  const newest = (input: { expected: number; needed?: string; without?: string[]; hidden?: string[]; most?: number }) =>
    acrossWorkspaces.transaction(async (db) => {
      await db.$queryRaw`SELECT set_config('app.workspace_id', ${other.id}, true)`;
      const wanted = input.needed ? `(${asOf("heron waits 1").all}) & ${input.needed}` : asOf("heron waits").all;
      const [row] = await db.$queryRaw<{ ids: string[] }[]>`
        SELECT search_newest(${wanted}::tsquery, ${input.needed ?? null}::tsquery, ${input.without ?? []}::uuid[],
          ${input.hidden ?? []}::uuid[], ${input.expected}, ${input.most ?? 300}::int)::text[] AS ids`;
      return row?.ids;
    });
  // The newest is a draft.
  const [draft, ...inOrder] = [...made].reverse();
  await inWorkspace(other.id, (db) =>
    db.searchDocument.updateMany({ where: { id: draft }, data: { published: false } }),
  );
  const [few, many] = [0, 1_000_000];
  for (const expected of [few, many]) {
    const only = { expected, hidden: [hidden.id] };
    expect(await newest({ ...only, most: 40 })).toEqual(inOrder.slice(0, 40));
    expect(await newest({ ...only, most: 40, without: inOrder.slice(0, 9) })).toEqual(inOrder.slice(9, 49));
    expect(await newest(only)).toEqual(inOrder);
    const [, ...beside] = inOrder.filter((id) => made.indexOf(id) % 3 !== 0 && /^1/.test(String(made.indexOf(id))));
    const without = inOrder.slice(0, inOrder.indexOf(beside[0] ?? ""));
    expect(await newest({ ...only, needed, without })).toEqual(beside);
    expect(await newest({ ...only, needed, without, most: 30 })).toEqual(beside.slice(0, 30));
  }
});

test("words that over a thousand articles have find articles beside a word that none has", async () => {
  const other = await aWorkspace();
  const body = await derivedText(contentFromHtml("<p>A heron by the river.</p>"));
  const titleOf = (index: number) => ({ title: `Bird ${index}`, body });
  const made = await store(other, await aCategory(other), 1_050, titleOf);
  for (const text of ["heron zzyzxqv", "heron river zzyzxqv"]) {
    const { matches } = await readWorkspace(other.id, (read) =>
      searchArticles(read, other.id, text, { limit: 100, offset: 0 }),
    );
    expect([text, matches.length, made.includes(matches[0]?.id ?? "")]).toEqual([text, 100, true]);
  }
});
