import { expect, test } from "vitest";
import { dayOf, forgetOldSalts, viewerHash } from "@/lib/analytics/viewers";
import { flushViews, noteView } from "@/lib/analytics/views";
import { listArticles } from "@/lib/articles/articles";
import { acrossWorkspaces, inWorkspace, readWorkspace } from "@/lib/db";
import { saltOfDay } from "@/lib/workspaces/workspaces";
import { aCategory, anArticle, aWorkspace, type TestWorkspace } from "@/testing/workspace";

const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const chrome = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36";
const DAY_MS = 24 * 60 * 60_000;

/** A workspace with one published article, and what a view of it by one viewer is. */
async function aRead(slug = "guide") {
  const workspace = await aWorkspace();
  const category = await aCategory(workspace);
  const article = await anArticle(workspace, { category, slug });
  return { workspace, category, article, view: viewOf(workspace, slug) };
}

const viewOf = ({ id }: TestWorkspace, slug: string) => ({
  workspaceId: id,
  slug,
  ip: "192.0.2.1",
  userAgent: firefox,
});

/** Each article's counts, and its number of rows. */
const counted = ({ id }: TestWorkspace) =>
  readWorkspace(id, (read) =>
    read<{ slug: string; count: number; rows: number }>(
      `SELECT slug, unique_views_count AS count,
         (SELECT count(*)::int FROM article_views v WHERE v.article_id = a.id) AS rows
       FROM articles a ORDER BY slug`,
    ),
  );

test("one viewer counts once a day, another one too, and crawlers never", async () => {
  const { workspace, view } = await aRead();
  for (const seen of [view, view, { ...view, ip: "192.0.2.2" }, { ...view, userAgent: chrome }]) noteView(seen);
  await flushViews();
  noteView(view);
  for (const userAgent of [
    null,
    "",
    "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
    "curl/8.5.0",
  ])
    noteView({ ...view, ip: "192.0.2.3", userAgent });
  await flushViews();
  expect(await counted(workspace)).toEqual([{ slug: "guide", count: 3, rows: 3 }]);
});

test("what was noted is written soon, and lists of articles say how many there were", async () => {
  const { workspace, view, article } = await aRead();
  noteView(view);
  await expect.poll(() => counted(workspace)).toEqual([{ slug: "guide", count: 1, rows: 1 }]);
  const { articles } = await readWorkspace(workspace.id, (read) =>
    listArticles(read, { workspaceId: workspace.id, limit: 10, offset: 0 }),
  );
  expect(articles).toMatchObject([{ id: article.id, uniqueViewsCount: 1 }]);
});

test("workspaces whose articles are locked hold up no other's views, nor lose their own", async () => {
  const locked = await Promise.all([aRead(), aRead(), aRead(), aRead()]);
  const open = await aRead();
  const done = [{ slug: "guide", count: 1, rows: 1 }];
  /** Keeps the articles of these locked, one workspace within the other, while `work` is done. */
  const whileLocked = (
    [workspace, ...others]: Awaited<ReturnType<typeof aRead>>[],
    work: () => Promise<void>,
  ): Promise<void> =>
    workspace
      ? inWorkspace(
          workspace.workspace.id,
          async (db) => {
            await db.$queryRaw`SELECT FROM articles FOR UPDATE`;
            await whileLocked(others, work);
          },
          20,
        )
      : work();
  await whileLocked(locked, async () => {
    for (const { view } of [...locked, open]) noteView(view);
    await expect.poll(() => counted(open.workspace), { timeout: 15_000 }).toEqual(done);
  });
  for (const { workspace } of locked) await expect.poll(() => counted(workspace)).toEqual(done);
}, 40_000);

test("on the next day a viewer counts again", async () => {
  const { workspace, view } = await aRead();
  const now = new Date();
  const tomorrow = new Date(now.getTime() + DAY_MS);
  for (const at of [now, tomorrow, now, tomorrow]) noteView(view, at);
  await flushViews();
  expect(await counted(workspace)).toEqual([{ slug: "guide", count: 2, rows: 2 }]);
  const hashes = await readWorkspace(workspace.id, (read) =>
    read<{ day: string; hash: string }>(
      "SELECT day::text, encode(viewer_hash, 'hex') AS hash FROM article_views ORDER BY day",
    ),
  );
  expect(hashes.map(({ day }) => day)).toEqual([dayOf(now), dayOf(tomorrow)]);
  expect(new Set(hashes.map(({ hash }) => hash)).size).toBe(2);
});

test("servers that write the same views concurrently count each view once", async () => {
  const { workspace, category, article } = await aRead();
  const other = await anArticle(workspace, { category, slug: "other" });
  const views = Array.from({ length: 40 }, (_, index) => ({
    ...viewOf(workspace, index % 2 ? article.slug : other.slug),
    ip: `192.0.2.${index}`,
  }));
  // A process shares its salts. Two servers do not.
  const process = globalThis as { lecternViews?: unknown };
  const mine = process.lecternViews;
  const flushes = [views, views.toReversed(), views].map((some) => {
    process.lecternViews = undefined;
    for (const view of some) noteView(view);
    return flushViews();
  });
  await Promise.all(flushes);
  process.lecternViews = mine;
  expect(await counted(workspace)).toEqual([
    { slug: "guide", count: 20, rows: 20 },
    { slug: "other", count: 20, rows: 20 },
  ]);
});

test("drafts, other workspaces' articles and what is no slug count nothing", async () => {
  const [{ workspace, category, view }, other] = await Promise.all([aRead(), aRead("elsewhere")]);
  await anArticle(workspace, { category, slug: "draft", state: "draft" });
  for (const slug of ["draft", "elsewhere", "nothing", "guide.md", "gui\0de", "\ud800", ""])
    noteView({ ...view, slug });
  noteView({ ...view, workspaceId: other.workspace.id });
  await flushViews();
  noteView(view);
  await flushViews();
  expect(await counted(workspace)).toEqual([
    { slug: "draft", count: 0, rows: 0 },
    { slug: "guide", count: 1, rows: 1 },
  ]);
  expect(await counted(other.workspace)).toEqual([{ slug: "elsewhere", count: 0, rows: 0 }]);
});

test("a view changes nothing of what readers see, nor the day the article was changed", async () => {
  const { workspace, view } = await aRead();
  const seen = () =>
    readWorkspace(workspace.id, (read) => read("SELECT version, updated_at FROM content_versions, articles"));
  const before = await seen();
  noteView(view);
  await flushViews();
  expect(await counted(workspace)).toMatchObject([{ count: 1 }]);
  expect(await seen()).toEqual(before);
});

test("nothing that is kept says who read, and the salt of a day goes with the day after it", async () => {
  const { workspace, view } = await aRead();
  noteView(view);
  await flushViews();
  const rows = await readWorkspace(workspace.id, (read) => read("SELECT * FROM article_views"));
  expect(rows).toMatchObject([{ viewer_hash: expect.any(Buffer) }]);
  expect(JSON.stringify(rows)).not.toMatch(/192\.0\.2|Firefox/);

  const today = dayOf(new Date());
  const ago = (days: number) => dayOf(new Date(Date.now() - days * DAY_MS));
  await acrossWorkspaces.query(
    "INSERT INTO daily_salts (day, salt) VALUES ($1, '\\x01'), ($2, '\\x02') ON CONFLICT (day) DO NOTHING",
    [ago(1), ago(2)],
  );
  const salt = await saltOfDay(today);
  expect(salt).toHaveLength(32);
  expect(await saltOfDay(today)).toEqual(salt);
  await forgetOldSalts();
  const kept = await acrossWorkspaces.query<{ day: string }>("SELECT day::text FROM daily_salts ORDER BY day");
  expect(kept.map(({ day }) => day).filter((day) => day <= today)).toEqual([ago(1), today]);
});

test("a viewer is another one in another workspace", async () => {
  const [one, two] = await Promise.all([aWorkspace(), aWorkspace()]);
  const day = dayOf(new Date());
  const hashes = [one.id, two.id, one.id].map((id) => viewerHash(id, { ip: "192.0.2.1", userAgent: firefox }, day));
  const [first, second, again] = (await Promise.all(hashes)).map((hash) => hash.toString("hex"));
  expect(first).not.toBe(second);
  expect(again).toBe(first);
});

test("views are kept for 400 days, and the count of the article permanently", async () => {
  const { workspace, article, view } = await aRead();
  await inWorkspace(workspace.id, async (db) => {
    await db.$executeRaw`
      INSERT INTO article_views (article_id, day, viewer_hash)
      SELECT ${article.id}::uuid, current_date - age, decode(md5(age::text), 'hex') FROM unnest(ARRAY[399, 402]) AS age`;
    await db.article.updateMany({ data: { uniqueViewsCount: 2 } });
  });
  noteView(view);
  await flushViews();
  expect(await counted(workspace)).toEqual([{ slug: "guide", count: 3, rows: 2 }]);
});

test("one that cannot be written holds up nobody else's", async () => {
  const { workspace, view } = await aRead();
  noteView({ ...view, workspaceId: "no workspace" });
  noteView(view);
  await flushViews();
  expect(await counted(workspace)).toMatchObject([{ count: 1 }]);
});

test("a network counts about twenty times, however its browsers and addresses change, and no other one less", async () => {
  const { workspace, view } = await aRead();
  for (let index = 0; index < 500; index++) {
    noteView({ ...view, userAgent: `${firefox} ${index}` });
    noteView({ ...view, ip: `2001:db8:1:2::${index.toString(16)}` });
  }
  await flushViews();
  expect(await counted(workspace)).toEqual([{ slug: "guide", count: 40, rows: 40 }]);
  for (const ip of ["192.0.2.77", "2001:db8:1:3::1"]) noteView({ ...view, ip });
  await flushViews();
  expect(await counted(workspace)).toEqual([{ slug: "guide", count: 42, rows: 42 }]);
});

test("a view of a day whose salt is gone is dropped without creating a new salt", async () => {
  const { workspace, view } = await aRead();
  const before = new Date(Date.now() - 2 * DAY_MS);
  noteView(view, before);
  noteView(view);
  await flushViews();
  expect(await counted(workspace)).toEqual([{ slug: "guide", count: 1, rows: 1 }]);
  expect(await acrossWorkspaces.query("SELECT FROM daily_salts WHERE day = $1", [dayOf(before)])).toEqual([]);
});
