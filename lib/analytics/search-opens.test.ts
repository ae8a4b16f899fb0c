import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { flushSearchOpens, noteSearchOpen } from "@/lib/analytics/search-opens";
import { acrossWorkspaces, inWorkspace, readWorkspace } from "@/lib/db";
import { aWorkspace, type TestWorkspace } from "@/testing/workspace";

interface Row {
  term: string;
  article: string;
  day: string;
  hash: string;
}

const rows = ({ id }: TestWorkspace) =>
  readWorkspace(id, (read) =>
    read<Row>(
      `SELECT term_folded AS term, article_id AS article, day::text, encode(viewer_hash, 'hex') AS hash FROM search_opens
       ORDER BY term_folded, day, viewer_hash`,
    ),
  );

test("a network counts once for each search, article and day, and its hashes say nothing of it", async () => {
  const [workspace, other] = await Promise.all([aWorkspace(), aWorkspace()]);
  const [article, second] = [randomUUID(), randomUUID()];
  const day = new Date();
  const note = (folded: string, articleId: string, ip: string | null, at = day, { id } = workspace) =>
    noteSearchOpen({ workspaceId: id, folded, articleId, ip }, at);
  for (const ip of ["203.0.113.7", "203.0.113.7", "203.0.113.8"]) note("refund", article, ip);
  for (const ip of ["2001:db8:1:2::1", "2001:db8:1:2:ffff::2"]) note("ipv6", article, ip);
  note("get a refund", second, "203.0.113.7");
  note("", article, "203.0.113.7");
  note("refund", article, "203.0.113.7", day, other);
  await flushSearchOpens();
  note("refund", article, "203.0.113.7");
  note("yesterday", article, "203.0.113.7", new Date(day.getTime() - 86_400_000));
  await flushSearchOpens();
  const found = await rows(workspace);
  expect(found.map(({ term, article: id }) => [term, id])).toEqual([
    ["get a refund", second],
    ["ipv6", article],
    ["refund", article],
    ["refund", article],
    ["yesterday", article],
  ]);
  const hashes = [...found, ...(await rows(other))].map(({ hash }) => hash);
  expect(new Set(hashes).size).toBe(6);
  expect(hashes.join(" ")).toMatch(/^[0-9a-f]{32}( [0-9a-f]{32}){5}$/);
});

test("a workspace that keeps no log of searches keeps no opened articles either", async () => {
  const workspace = await aWorkspace();
  const keep = (searchLogEnabled: boolean) =>
    inWorkspace(workspace.id, (db) => db.workspace.updateMany({ data: { searchLogEnabled } }));
  const note = (folded: string) =>
    noteSearchOpen({ workspaceId: workspace.id, folded, articleId: randomUUID(), ip: "203.0.113.7" });
  await keep(false);
  note("meanwhile");
  await flushSearchOpens();
  await keep(true);
  note("afterward");
  await flushSearchOpens();
  expect((await rows(workspace)).map(({ term }) => term)).toEqual(["afterward"]);
});

test("opened articles are kept for 90 days", async () => {
  const workspace = await aWorkspace();
  await acrossWorkspaces.query(
    `INSERT INTO search_opens (workspace_id, term_folded, article_id, day, viewer_hash)
     SELECT $1::uuid, 'old ' || n, gen_random_uuid(), current_date - n, '\\x01' FROM generate_series(88, 91) n`,
    [workspace.id],
  );
  noteSearchOpen({ workspaceId: workspace.id, folded: "new", articleId: randomUUID(), ip: "203.0.113.7" });
  await flushSearchOpens();
  expect((await rows(workspace)).map(({ term }) => term)).toEqual(["new", "old 88", "old 89"]);
});
