import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { paths } from "@/app/api/external/v2/_document/operations";
import { createApiKey } from "@/lib/api-keys/api-keys";
import { deleteArticles } from "@/lib/articles/removal";
import { inWorkspace } from "@/lib/db";
import { dayAfter } from "@/lib/insights/days";
import { aCategory, anArticle, aWorkspace, call } from "@/testing/workspace";

type List = "articles" | "searches" | "feedback";

const today = new Date().toISOString().slice(0, 10);
const ago = (days: number) => dayAfter(today, -days);

/** A workspace with a key that reads insights, and two articles. */
async function aLibrary() {
  const workspace = await aWorkspace();
  const key = await inWorkspace(workspace.id, (db) =>
    createApiKey(db, { name: "BI", scopes: ["insights.read"] }, workspace.actor),
  );
  const category = await aCategory(workspace);
  const guide = await anArticle(workspace, { category, title: "Guide" });
  const tour = await anArticle(workspace, { category, title: "Tour" });
  const hash = () => new Uint8Array(randomBytes(16));
  const read = (list: List, query: Record<string, string> = {}) =>
    call(paths[`/insights/${list}`], workspace, `/api/external/v2/insights/${list}?${new URLSearchParams(query)}`, {
      key: key.text,
    });
  return {
    ...{ workspace, category, guide, tour, read },
    list: async (list: List, query?: Record<string, string>) => (await read(list, query)).body,
    /** Views of some people on a day, as the process writes them. */
    view: (articleId: string, day: string, people = 1) =>
      inWorkspace(workspace.id, async (db) => {
        const data = Array.from({ length: people }, () => ({ articleId, day: new Date(day), viewerHash: hash() }));
        await db.articleView.createMany({ data });
        await db.$executeRaw`
          INSERT INTO article_view_months AS known (article_id, month, views)
          VALUES (${articleId}::uuid, date_trunc('month', ${day}::text::date)::date, ${people})
          ON CONFLICT (workspace_id, article_id, month) DO UPDATE SET views = known.views + EXCLUDED.views`;
      }),
    rate: (articleId: string, at: string, fields: { helpful: boolean; reason?: string; choice?: string }) =>
      inWorkspace(workspace.id, (db) =>
        db.feedback.create({
          data: { articleId, day: new Date(at), createdAt: new Date(at), viewerHash: hash(), ...fields },
        }),
      ),
    search: (term: string, at: string, resultsCount: number, clicked = false) =>
      inWorkspace(workspace.id, (db) =>
        db.search.create({
          data: { term, termFolded: term.toLowerCase(), resultsCount, clicked, createdAt: new Date(at) },
        }),
      ),
  };
}

const viewsOf = ({ articles }: { articles: { title: string; views_count: number }[] }) =>
  articles.map(({ title, views_count }) => [title, views_count]);

test("articles have their views and ratings of the days, the most viewed first", async () => {
  const { workspace, guide, tour, list, view, rate } = await aLibrary();
  await view(guide.id, today, 2);
  await view(guide.id, ago(29), 1);
  await view(guide.id, ago(30), 4);
  await view(tour.id, ago(1), 5);
  await rate(guide.id, `${ago(29)}T00:00:00.000Z`, { helpful: true });
  await rate(guide.id, `${ago(30)}T23:59:59.999Z`, { helpful: true });
  await rate(guide.id, `${today}T00:00:00.000Z`, { helpful: false });
  const home = `http://${workspace.subdomain}.localhost:3000`;
  const whole = await list("articles");
  expect(whole.articles).toEqual([
    {
      ...{ article_id: tour.id, title: "Tour", state: "published", full_url: `${home}/articles/tour` },
      ...{ views_count: 5, helpful_count: 0, not_helpful_count: 0 },
    },
    {
      ...{ article_id: guide.id, title: "Guide", state: "published", full_url: `${home}/articles/guide` },
      ...{ views_count: 3, helpful_count: 1, not_helpful_count: 1 },
    },
  ]);
  expect(viewsOf(await list("articles", { from: ago(30), to: ago(29) }))).toEqual([["Guide", 5]]);
  const second = await list("articles", { page_size: "1", page_number: "2" });
  expect([viewsOf(second), second.pagination.total_records]).toEqual([[["Guide", 3]], 2]);
  const past = await list("articles", { page_size: "1", page_number: "9" });
  expect([past.articles, past.pagination.total_records]).toEqual([[], 2]);
});

test("views of long ranges are exact, with whole months and the days around them", async () => {
  const { guide, list, view } = await aLibrary();
  // One more view on each earlier day, so that every range has another sum.
  const days = Array.from({ length: 130 }, (_, index) => ago(index + 1));
  for (const [index, day] of days.entries()) if (index % 3 === 0) await view(guide.id, day, (index % 7) + 1);
  const sum = (from: string, to: string) =>
    days.reduce((total, day, at) => total + (at % 3 === 0 && day >= from && day <= to ? (at % 7) + 1 : 0), 0);
  const firstOf = (day: string) => `${day.slice(0, 7)}-01`;
  const month = firstOf(ago(70));
  const ranges = [
    [ago(130), today],
    [ago(100), ago(3)],
    [month, dayAfter(firstOf(dayAfter(month, 31)), -1)],
    [month, firstOf(dayAfter(month, 31))],
    [dayAfter(month, -1), dayAfter(firstOf(dayAfter(month, 31)), -2)],
    [ago(9), ago(1)],
  ] as const;
  for (const [from, to] of ranges)
    expect([from, to, viewsOf(await list("articles", { from, to }))]).toEqual([from, to, [["Guide", sum(from, to)]]]);
});

test("articles that readers no longer see are listed with their titles, and deleted ones are not", async () => {
  const { workspace, category, guide, tour, list, view, rate } = await aLibrary();
  await view(guide.id, today);
  await view(tour.id, today);
  await rate(tour.id, `${today}T00:00:00.000Z`, { helpful: false, reason: "Gone?" });
  await rate(guide.id, `${today}T00:00:00.000Z`, { helpful: true, reason: "Here" });
  await anArticle(workspace, { category, id: guide.id, title: "Secret guide", state: "draft" });
  await inWorkspace(workspace.id, async (db) => {
    await db.category.updateMany({ where: { id: category.id }, data: { visibility: "members" } });
    await deleteArticles(db, [tour.id], { kind: "gone" }, "", workspace.actor);
  });
  expect(await list("articles")).toMatchObject({
    articles: [{ title: "Secret guide", state: "draft" }],
    pagination: { total_records: 1 },
  });
  expect(await list("feedback")).toMatchObject({
    feedback: [{ title: "Secret guide", reason: "Here" }],
    pagination: { total_records: 1 },
  });
});

test("searches are counted by term, and filtered by what readers found and opened", async () => {
  const { list, search } = await aLibrary();
  await search("Refund", `${ago(1)}T10:00:00.000Z`, 0);
  await search("refund", `${ago(2)}T10:00:00.000Z`, 3, true);
  await search("refund", `${ago(40)}T10:00:00.000Z`, 3);
  await search("invoice", `${ago(1)}T09:00:00.000Z`, 2);
  await search("invoice", `${ago(3)}T09:00:00.000Z`, 2);
  await search("login", `${ago(1)}T08:00:00.000Z`, 1, true);
  const { searches, pagination } = await list("searches");
  expect([searches[0], pagination.total_records]).toEqual([
    {
      ...{ term: "Refund", searches_count: 2, last_searched_at: `${ago(1)}T10:00:00.000Z` },
      ...{ has_results: false, opened: true },
    },
    3,
  ]);
  const termsOf = async (query: Record<string, string>) =>
    (await list("searches", query)).searches.map((one: { term: string; searches_count: number }) => [
      one.term,
      one.searches_count,
    ]);
  expect(await termsOf({ only: "no_results" })).toEqual([["Refund", 1 + 1]]);
  expect(await termsOf({ only: "no_clicks" })).toEqual([["invoice", 2]]);
  expect(await termsOf({ from: ago(40), to: ago(2) })).toEqual([
    ["refund", 2],
    ["invoice", 1],
  ]);
  expect(await termsOf({ from: ago(40), to: ago(2), only: "no_results" })).toEqual([]);
});

test("feedback with a reason or comment is listed, newest first, and says nothing about the reader", async () => {
  const { guide, list, rate } = await aLibrary();
  await rate(guide.id, `${ago(2)}T12:00:00.000Z`, { helpful: false, reason: "Old screenshot", choice: "outdated" });
  await rate(guide.id, `${ago(1)}T12:00:00.000Z`, { helpful: true, reason: "Thanks" });
  await rate(guide.id, `${ago(1)}T13:00:00.000Z`, { helpful: true });
  const { feedback, pagination } = await list("feedback");
  expect(feedback.map(({ reason }: { reason: string }) => reason)).toEqual(["Thanks", "Old screenshot"]);
  expect(pagination.total_records).toBe(2);
  expect(feedback[1]).toEqual({
    ...{ id: expect.any(String), article_id: guide.id, title: "Guide", state: "published" },
    full_url: expect.stringMatching(/\/articles\/guide$/),
    ...{ helpful: false, choice: "outdated", reason: "Old screenshot", created_at: `${ago(2)}T12:00:00.000Z` },
  });
  expect((await list("feedback", { to: ago(2) })).feedback).toHaveLength(1);
  const past = await list("feedback", { page_number: "5" });
  expect([past.feedback, past.pagination.total_records]).toEqual([[], 2]);
});

test("days that can't be listed are refused by name", async () => {
  const { read } = await aLibrary();
  for (const list of ["articles", "searches", "feedback"] as const) {
    for (const [query, field] of [
      [{ from: "yesterday" }, "from"],
      [{ to: "2026-02-30" }, "to"],
      [{ from: ago(1), to: ago(2) }, "from"],
      [{ from: ago(401), to: ago(300) }, "from"],
      [{ to: "0000-01-01" }, "to"],
      [{ to: "9999-12-31" }, "to"],
      [{ from: ago(366), to: today }, "to"],
    ] as [Record<string, string>, string][]) {
      const { status, body } = await read(list, query);
      expect([list, query, status, body.details?.map((one: { field: string }) => one.field)]).toEqual([
        ...[list, query, 422],
        [field],
      ]);
    }
    const fine: Record<string, string>[] = [
      ...[{ from: ago(365) }, { from: ago(400), to: ago(400) }],
      ...[{ to: ago(400) }, { to: dayAfter(today) }],
    ];
    for (const query of fine) expect([list, query, (await read(list, query)).status]).toEqual([list, query, 200]);
  }
  expect((await read("searches", { only: "all" })).status).toBe(422);
});
