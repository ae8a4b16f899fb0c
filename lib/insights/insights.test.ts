import { expect, test } from "vitest";
import { giveFeedback } from "@/lib/analytics/feedback";
import { flushSearches, noteSearch, noteSearchClick } from "@/lib/analytics/search-log";
import { flushViews, noteView } from "@/lib/analytics/views";
import { deleteArticles, restoreArticles } from "@/lib/articles/removal";
import { inWorkspace, type Read, readWorkspace } from "@/lib/db";
import { answersOver, newestReasons, unhelpfulArticles } from "@/lib/insights/feedback";
import { brokenLinks } from "@/lib/insights/links";
import { contentCounts, firstSteps } from "@/lib/insights/overview";
import { spanOf } from "@/lib/insights/period";
import { searchesOver, searchTerms } from "@/lib/insights/search-terms";
import { mostRead, unreadArticles, viewsOver } from "@/lib/insights/views";
import { aCategory, anArticle, aWorkspace, type TestWorkspace } from "@/testing/workspace";

const DAY_MS = 24 * 60 * 60_000;
const all = { limit: 10, offset: 0 };
const reading = <T>({ id }: TestWorkspace, work: (read: Read) => Promise<T>) => readWorkspace(id, work);
const browser = (number: number) => ({ ip: `198.51.${number}.1`, userAgent: "Mozilla/5.0 Firefox/140.0" });

/** Views of some people on a day so many days ago, as the process writes them. */
async function viewed({ id }: TestWorkspace, slug: string, people: number, daysAgo = 0): Promise<void> {
  const at = new Date(Date.now() - daysAgo * DAY_MS);
  // Only of today and yesterday is there a salt: older ones are moved back.
  for (let person = 1; person <= people; person++) noteView({ workspaceId: id, slug, ...browser(10 * person) });
  await flushViews();
  if (daysAgo === 0) return;
  await inWorkspace(id, async (db) => {
    await db.$executeRaw`
      UPDATE article_view_months SET month = date_trunc('month', ${at}::timestamptz AT TIME ZONE 'UTC')::date
      WHERE article_id = (SELECT id FROM articles WHERE slug = ${slug})`;
    // Rows of views are immutable, so they are inserted again for the other day.
    const { id: articleId } = await db.article.findFirstOrThrow({ where: { slug } });
    const rows = await db.articleView.findMany({ where: { articleId } });
    await db.articleView.deleteMany({ where: { articleId } });
    await db.articleView.createMany({ data: rows.map(({ id: _, workspaceId: __, ...row }) => ({ ...row, day: at })) });
  });
}

async function published(workspace: TestWorkspace, slug: string, daysAgo: number): Promise<void> {
  await inWorkspace(workspace.id, (db) =>
    db.article.updateMany({ where: { slug }, data: { publishedAt: new Date(Date.now() - daysAgo * DAY_MS) } }),
  );
}

test("views of a period are counted by day and by month, and compared once the period before is known", async () => {
  const [workspace, other] = await Promise.all([aWorkspace(), aWorkspace()]);
  const category = await aCategory(workspace);
  for (const slug of ["new", "older", "oldest"]) await anArticle(workspace, { category, slug });
  await anArticle(other, { category: await aCategory(other), slug: "new" });
  await viewed(other, "new", 5);
  await viewed(workspace, "new", 3);
  await viewed(workspace, "older", 2, 10);
  const span = spanOf("7", "UTC", new Date());
  expect(await reading(workspace, (read) => viewsOver(read, span))).toEqual({
    bars: [0, 0, 0, 0, 0, 0, 3],
    total: { now: 3, before: null },
  });
  await viewed(workspace, "oldest", 1, 20);
  const { total } = await reading(workspace, (read) => viewsOver(read, span));
  expect(total).toEqual({ now: 3, before: 2 });

  const year = spanOf("12m", "UTC", new Date());
  const months = await reading(workspace, (read) => viewsOver(read, year));
  expect(months.total).toEqual({ now: 6, before: null });
  for (const [period, views] of [
    [span, [["new", 3]]],
    [
      year,
      [
        ["new", 3],
        ["older", 2],
        ["oldest", 1],
      ],
    ],
  ] as const) {
    const { rows, total: count } = await reading(workspace, (read) => mostRead(read, period, all));
    expect([rows.map(({ slug, views }) => [slug, views]), count]).toEqual([views, views.length]);
  }
});

test("the views of a deleted article do not count, and do again when it is back", async () => {
  const workspace = await aWorkspace();
  const category = await aCategory(workspace);
  const { id } = await anArticle(workspace, { category, slug: "gone" });
  await anArticle(workspace, { category, slug: "stays" });
  await viewed(workspace, "gone", 3);
  await viewed(workspace, "stays", 2);
  const seen = async () => {
    const span = spanOf("7", "UTC", new Date());
    const { total } = await reading(workspace, (read) => viewsOver(read, span));
    const { rows, total: articles } = await reading(workspace, (read) => mostRead(read, span, { limit: 9, offset: 0 }));
    return [total.now, rows.map(({ slug }) => slug), articles];
  };
  expect(await seen()).toEqual([5, ["gone", "stays"], 2]);
  const { batch } = await inWorkspace(workspace.id, (db) =>
    deleteArticles(db, [id], { kind: "gone" }, "http://docs.localhost", workspace.actor),
  );
  expect(await seen()).toEqual([2, ["stays"], 1]);
  await inWorkspace(workspace.id, (db) => restoreArticles(db, batch, workspace.actor, ["articles.publish"]));
  expect(await seen()).toEqual([5, ["gone", "stays"], 2]);
});

test("an article is found by nobody when it was there all the time and was not opened", async () => {
  const workspace = await aWorkspace();
  const category = await aCategory(workspace);
  for (const slug of ["opened", "opened-before", "alone", "new"]) await anArticle(workspace, { category, slug });
  await anArticle(workspace, { category, slug: "draft", state: "draft" });
  for (const slug of ["opened", "opened-before", "alone"]) await published(workspace, slug, 50);
  await published(workspace, "alone", 60);
  await published(workspace, "new", 2);
  await viewed(workspace, "opened-before", 1, 20);
  await viewed(workspace, "opened", 1);
  const span = spanOf("7", "UTC", new Date());
  const { rows, total } = await reading(workspace, (read) => unreadArticles(read, span, all));
  expect([rows.map(({ slug, views }) => [slug, views]), total]).toEqual([
    [
      ["alone", 0],
      ["opened-before", 1],
    ],
    2,
  ]);
});

test("searches are listed by outcome, and one that finds something now is no longer listed", async () => {
  const [workspace, other] = await Promise.all([aWorkspace(), aWorkspace()]);
  const search = (term: string, total: number) => noteSearch(workspace.id, { term, total });
  for (const term of ["Refund", "refund", "REFUND"]) search(term, 0);
  search("invoice", 0);
  await flushSearches();
  search("Invoice", 2);
  for (const term of ["team", "team", "seen", "once"]) search(term, 4);
  const id = search("seen", 4);
  noteSearchClick(workspace.id, id);
  noteSearch(other.id, { term: "theirs", total: 0 });
  await flushSearches();
  const span = spanOf("7", "UTC", new Date());
  const lists = await reading(workspace, (read) => searchTerms(read, ["all", "nothing", "unopened"], span, "UTC", all));
  const named = (list: keyof typeof lists) =>
    lists[list].rows.map(({ term, times }) => `${times} ${term.toLowerCase()}`);
  expect(named("all").sort()).toEqual(["1 once", "2 invoice", "2 seen", "2 team", "3 refund"]);
  expect([named("nothing"), lists.nothing.total]).toEqual([["3 refund"], 1]);
  expect(named("unopened").sort()).toEqual(["2 invoice", "2 team"]);
  const { bars, all: made, nothing } = await reading(workspace, (read) => searchesOver(read, span, "UTC"));
  expect([made, nothing]).toEqual([
    { now: 10, before: null },
    { now: 4, before: null },
  ]);
  expect(bars.reduce((sum, bar) => sum + bar.all, 0)).toBe(10);
});

test("answers are counted, and where an article did not help comes first, with the reasons", async () => {
  const workspace = await aWorkspace();
  const category = await aCategory(workspace);
  const [good, bad] = await Promise.all(["good", "bad"].map((slug) => anArticle(workspace, { category, slug })));
  const say = (article: { id: string } | undefined, person: number, helpful: boolean, reason: string | null = null) =>
    giveFeedback(workspace.id, article?.id ?? "", { helpful, choice: null, reason }, browser(person));
  await say(good, 1, true);
  await say(good, 2, true);
  await say(bad, 3, false, "Where is the button?");
  const span = spanOf("7", "UTC", new Date());
  expect(await reading(workspace, (read) => answersOver(read, span, "UTC"))).toEqual({ yes: 2, no: 1 });
  const rated = await reading(workspace, (read) => unhelpfulArticles(read, span, "UTC", all));
  expect(rated).toEqual({ total: 1, rows: [{ ...bad, published: true, yes: 0, no: 1 }] });
  const { rows } = await reading(workspace, (read) => newestReasons(read, span, "UTC", all));
  expect(rows).toEqual([
    {
      ...bad,
      published: true,
      feedbackId: expect.any(String),
      helpful: false,
      choice: null,
      reason: "Where is the button?",
      at: expect.any(Date),
    },
  ]);
});

test("a link is broken if there is no published article, category, file or former URL", async () => {
  const workspace = await aWorkspace();
  const category = await aCategory(workspace, { slug: "topic" });
  const { id } = await anArticle(workspace, { category, slug: "there" });
  await anArticle(workspace, { category, slug: "hidden", state: "draft" });
  const { permalink } = await inWorkspace(workspace.id, async (db) => {
    await db.redirect.create({ data: { fromPath: "/articles/former", kind: "article", articleId: id } });
    await db.redirect.create({ data: { fromPath: "/articles/removed", kind: "gone" } });
    return db.article.findFirstOrThrow({ where: { id }, select: { permalink: true } });
  });
  const good = [
    ...["/articles/there", "/articles/there/", "/articles/there#part", "/articles/there?a=1#b", "/articles/there.md"],
    ...[`/articles/${permalink}`, "/articles/former", "/categories/topic", "/", "/search?q=x", "#here"],
    ...[
      "https://docs.example.com/articles/there",
      "https://docs.example.com/",
      "https://other.example/articles/nowhere",
    ],
    ...["https://docs.example.com.other.example/x", "mailto:ada@example.com", "//other.example/articles/nowhere"],
  ];
  const bad = [
    ...["/articles/hidden", "/articles/nowhere#part", "/articles/removed", "/categories/nowhere", "/old/page.html"],
    ...["https://docs.example.com/articles/nowhere", "/uploads/00000000-0000-4000-8000-000000000000"],
  ];
  const html = [...good, ...bad].map((href) => `<p><a href="${href}">a</a></p>`).join("");
  await anArticle(workspace, { category, slug: "linking", html });
  await anArticle(workspace, { category, slug: "draft", state: "draft", html });
  const { rows, total } = await reading(workspace, (read) => brokenLinks(read, "https://docs.example.com", all));
  expect(rows.map(({ href }) => href).sort()).toEqual(bad.sort());
  expect([total, new Set(rows.map(({ slug }) => slug))]).toEqual([bad.length, new Set(["linking"])]);
});

test("a page of a list says how many there are in all of it", async () => {
  const workspace = await aWorkspace();
  const category = await aCategory(workspace);
  for (const slug of ["a", "b", "c"]) {
    await anArticle(workspace, { category, slug, title: slug });
    await published(workspace, slug, slug.charCodeAt(0));
  }
  const span = spanOf("30", "UTC", new Date());
  const { rows, total } = await reading(workspace, (read) => unreadArticles(read, span, { limit: 1, offset: 1 }));
  expect([rows.map(({ slug }) => slug), total]).toEqual([["b"], 3]);
});

test("the dashboard knows the articles, the first steps and who changed what", async () => {
  const workspace = await aWorkspace();
  const none = { categorized: false, written: false, imported: false, dressed: false, invited: false };
  expect(await reading(workspace, firstSteps)).toEqual(none);
  const category = await aCategory(workspace);
  const { id } = await anArticle(workspace, { category, slug: "guide" });
  await anArticle(workspace, { category, state: "draft" });
  await inWorkspace(workspace.id, (db) => db.articleDraft.create({ data: { id, title: "Other", html: "", text: "" } }));
  expect(await reading(workspace, firstSteps)).toEqual({ ...none, categorized: true, written: true, imported: true });
  const counts = { published: 1, drafts: 1, differing: 1, scheduled: 0, held: 0 };
  expect(await reading(workspace, contentCounts)).toEqual(counts);
  const publishAt = new Date(Date.now() + 60_000);
  await inWorkspace(workspace.id, (db) => db.article.updateMany({ where: { id }, data: { publishAt } }));
  expect(await reading(workspace, contentCounts)).toEqual({ ...counts, scheduled: 1 });
  await inWorkspace(workspace.id, (db) => db.article.updateMany({ where: { id }, data: { publishHeld: true } }));
  expect(await reading(workspace, contentCounts)).toEqual({ ...counts, held: 1 });
});
