import { Client } from "pg";
import { expect, test } from "vitest";
import { noteUse } from "@/lib/api/keys";
import { createApiKey } from "@/lib/api-keys/api-keys";
import { acrossWorkspaces, inWorkspace } from "@/lib/db";
import { aCategory, anArticle, aWorkspace, call, type TestWorkspace } from "@/testing/workspace";
import { paths as v1 } from "./v1/_document/operations";
import { paths as v2 } from "./v2/_document/operations";

/** When, from where and for what the workspace's key was last used, as stored. */
async function lastUse({ key }: TestWorkspace): Promise<{ at: Date | null; ip: string | null; route: string | null }> {
  const [row] = await acrossWorkspaces.query<{ at: Date | null; ip: string | null; route: string | null }>(
    "SELECT last_used_at AS at, last_used_ip AS ip, last_used_route AS route FROM api_keys WHERE id = $1",
    [key.id],
  );
  if (!row) throw new Error("The key is gone.");
  return row;
}

/** Puts the last use into the past. */
const minutesPass = ({ key }: TestWorkspace, minutes: number) =>
  acrossWorkspaces.query("UPDATE api_keys SET last_used_at = last_used_at - make_interval(mins => $2) WHERE id = $1", [
    key.id,
    minutes,
  ]);

/** A connection outside the product's own pools. */
async function connection(): Promise<Client> {
  const client = new Client({ connectionString: process.env.DATABASE_URL });
  await client.connect();
  return client;
}

const from = (ip: string) => ({ headers: { "x-forwarded-for": ip } });

test("the last use says when, from where, and which operation, without the id that was asked for", async () => {
  const workspace = await aWorkspace();
  const { id } = await anArticle(workspace, { category: await aCategory(workspace), slug: "articles" });
  const uses: [ask: () => Promise<unknown>, ip: string, route: string][] = [
    [() => call(v2["/me"], workspace, "/api/external/v2/me", from("192.0.2.1")), "192.0.2.1", "GET /v2/me"],
    ...["articles", "%61rticles", id, "nobody"].map((name): (typeof uses)[number] => [
      () => call(v2["/articles/{article_id}"], workspace, `/api/external/v2/articles/${name}`, from("2001:db8::1")),
      "2001:db8::1",
      "GET /v2/articles/{article_id}",
    ]),
    [
      () =>
        call(v1["/team_members/{team_member_id}"], workspace, `/api/external/v1/team_members/${workspace.admin.id}`, {
          method: "PATCH",
          body: {},
          ...from("192.0.2.2"),
        }),
      "192.0.2.2",
      "PATCH /v1/team_members/{team_member_id}",
    ],
    [
      () =>
        call(v2["/search"], workspace, "/api/external/v2/search?search_term=x", {
          method: "HEAD",
          ...from("192.0.2.3"),
        }),
      "192.0.2.3",
      "GET /v2/search",
    ],
  ];
  for (const [ask, ip, route] of uses) {
    const before = await lastUse(workspace);
    await ask();
    await expect.poll(async () => (await lastUse(workspace)).at).not.toEqual(before.at);
    const { at, ...rest } = await lastUse(workspace);
    expect(rest).toEqual({ ip, route });
    expect(Math.abs(Number(at) - Date.now())).toBeLessThan(60_000);
    await minutesPass(workspace, 5);
  }
});

test("a use is noted at most every five minutes", async () => {
  const workspace = await aWorkspace();
  const note = (ip: string) => noteUse(workspace.id, workspace.key.id, { ip, route: "GET /v2/me" });
  await note("192.0.2.1");
  await minutesPass(workspace, 4);
  const before = await lastUse(workspace);
  await note("192.0.2.2");
  expect(await lastUse(workspace)).toEqual(before);
  await minutesPass(workspace, 1);
  await note("192.0.2.2");
  expect((await lastUse(workspace)).ip).toBe("192.0.2.2");
});

test("a request does not wait for its use to be noted", async () => {
  const workspace = await aWorkspace();
  const other = await connection();
  // Writers wait for this lock. The database ends it if a request waits too.
  await other.query("BEGIN; SET LOCAL idle_in_transaction_session_timeout = '5s'; LOCK TABLE api_keys IN SHARE MODE");
  // More than there are connections.
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => call(v2["/me"], workspace, "/api/external/v2/me", from("192.0.2.1"))),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect((await lastUse(workspace)).at).toBeNull();
  await other.query("ROLLBACK");
  const noted = async () => {
    // If the first use could not be recorded in time, a later request records its own.
    await call(v2["/me"], workspace, "/api/external/v2/me", from("192.0.2.1"));
    return (await lastUse(workspace)).ip;
  };
  await expect.poll(noted, { timeout: 10_000 }).toBe("192.0.2.1");
  await other.end();
});

test("recording a use does not wait for a concurrent change of the key", async () => {
  const workspace = await aWorkspace();
  const other = await connection();
  const note = () => noteUse(workspace.id, workspace.key.id, { ip: "192.0.2.1", route: "GET /v2/me" });
  await other.query("BEGIN");
  await other.query("SELECT 1 FROM api_keys WHERE id = $1 FOR UPDATE", [workspace.key.id]);
  await note();
  await other.query("ROLLBACK");
  expect((await lastUse(workspace)).at).toBeNull();
  await other.end();
  await note();
  expect((await lastUse(workspace)).ip).toBe("192.0.2.1");
});

test("a key that another process revokes, or that the database's clock ends, is refused on the next request", async () => {
  const workspace = await aWorkspace();
  const other = await connection();
  for (const change of ["revoked_at = now()", "expires_at = now() - interval '1 s'"]) {
    const key = await inWorkspace(workspace.id, (db) =>
      createApiKey(db, { name: "Short-lived", scopes: ["content.read", "members.read"] }, workspace.actor),
    );
    const status = async () =>
      (await call(v2["/setting"], workspace, "/api/external/v2/setting", { key: key.text })).status;
    expect(await status()).toBe(200);
    await other.query(`UPDATE api_keys SET ${change} WHERE id = $1`, [key.id]);
    expect([change, await status()]).toEqual([change, 401]);
  }
  await other.end();
});
