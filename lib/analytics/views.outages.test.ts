import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { aFragileDatabase, type FragileDatabase } from "@/testing/outage";

// A database that goes away under the count of views.

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let database: FragileDatabase;
let slug: string;
let views: typeof import("@/lib/analytics/views");
const lines: Record<string, unknown>[] = [];

beforeAll(async () => {
  database = await aFragileDatabase();
  vi.stubEnv("DATABASE_URL", database.url);
  vi.resetModules();
  views = await import("@/lib/analytics/views");
  const { openLog } = await import("@/lib/log");
  openLog({
    level: "info",
    format: "json",
    write: (line) => lines.push(JSON.parse(line) as Record<string, unknown>),
  });
  const { rows } = await database.owner.query<{ slug: string }>(
    "UPDATE articles SET state = 'published', unique_views_count = 0 WHERE workspace_id = $1 RETURNING slug",
    [database.ours.id],
  );
  slug = rows[0]?.slug ?? "";
});

afterAll(async () => {
  vi.unstubAllEnvs();
  database.thaw();
  await (await import("@/lib/db")).closeConnections();
  await database.drop();
});

const note = (reader: number) =>
  views.noteView({
    workspaceId: database.ours.id,
    slug,
    ip: `10.0.${reader >> 8}.${reader & 255}`,
    userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
  });
const count = async () =>
  (
    await database.owner.query<{ count: number }>("SELECT unique_views_count AS count FROM articles WHERE slug = $1", [
      slug,
    ])
  ).rows[0]?.count;
const logged = (message: string) => lines.filter(({ msg }) => msg === message);
const waits = "Views are waiting to be written because the database is not responding.";
const back = "Views are being written again. The database is back.";
const lost = "Views were lost because they could not be written.";

test("while it is away the newest wait, the oldest give way, and each counts once when it is back", async () => {
  await database.stop();
  for (let reader = 0; reader < 5_100; reader++) note(reader);
  for (let reader = 5_000; reader < 5_100; reader++) note(reader);
  await vi.waitFor(() => expect(logged(waits)).toHaveLength(1), 20_000);

  await database.start();
  await vi.waitFor(() => expect(logged(back)).toHaveLength(1), 20_000);
  expect(await count()).toBe(5_000);
  expect(logged(lost)).toMatchObject([{ level: "warn", dropped: 100 }]);
  expect(logged(waits)).toHaveLength(1);
});

test("a server that stops while it is frozen gives up, and says how many views are lost", async () => {
  lines.length = 0;
  await database.freeze();
  note(6_000);
  note(6_001);
  await views.flushViews();
  expect(logged(lost)).toMatchObject([{ level: "warn", dropped: 2 }]);
  database.thaw();
});
