import { expect, test } from "vitest";
import { jobHandlers } from "@/server/jobs/handlers";
import { startWorker } from "@/server/jobs/worker";
import { plant } from "@/testing/wall";
import { aDatabase } from "@/testing/workspace";

test("audit logs forget entries and IP addresses when their workspace says so, and no others", async ({
  onTestFinished,
}) => {
  const made = await aDatabase(String(process.env.DATABASE_URL));
  onTestFinished(() => made.drop());
  const owner = await made.connect();
  const [kept, brief] = [await plant(owner), await plant(owner)];
  for (const table of ["audit_entries", "audit_items"]) await owner.query(`DELETE FROM ${table}`);
  await owner.query("UPDATE workspaces SET audit_days = 90, audit_ip_days = 30 WHERE id = $1", [brief.id]);
  await owner.query("UPDATE workspaces SET audit_ip_days = 365 WHERE id = $1", [kept.id]);
  const [names, days] = [
    [kept.id, brief.id],
    [29, 31, 89, 91, 400],
  ];
  await owner.query(
    `WITH entries AS (
       INSERT INTO audit_entries (workspace_id, actor_kind, actor_name, action, subject_kind, subject_name, ip, created_at)
       SELECT w, 'system', 'test', 'x', 'x', days, '203.0.113.1', now() - make_interval(days => days)
       FROM unnest($1::uuid[]) w, unnest($2::int[]) days RETURNING workspace_id, id, subject_name)
     INSERT INTO audit_items (workspace_id, entry_id, subject_id, subject_name)
     SELECT workspace_id, id, gen_random_uuid(), subject_name FROM entries, generate_series(1, 3)`,
    [names, days],
  );
  const left = async ({ id }: { id: string }) => {
    const { rows } = await owner.query<{ left: string }>(
      `SELECT concat_ws(' ', subject_name, ip, (SELECT count(*) FROM audit_items i WHERE i.entry_id = e.id)) AS left
       FROM audit_entries e WHERE workspace_id = $1 ORDER BY created_at DESC`,
      [id],
    );
    return rows.map((row) => row.left);
  };
  const handlers = jobHandlers({ deliver: async () => {}, baseUrl: "http://localhost:3000" });
  // A worker looks when it starts.
  await startWorker({ databaseUrl: await made.serverLogin(), handlers, log: () => {} }).stop();
  const ip = "203.0.113.1";
  expect(await left(brief)).toEqual([`29 ${ip} 3`, "31 3", "89 3"]);
  expect(await left(kept)).toEqual([`29 ${ip} 3`, `31 ${ip} 3`, `89 ${ip} 3`, `91 ${ip} 3`, "400 3"]);
  const { rows } = await owner.query(
    "SELECT FROM audit_items i WHERE NOT EXISTS (SELECT FROM audit_entries e WHERE e.id = i.entry_id)",
  );
  expect(rows).toEqual([]);
});

test("a long backlog keeps no other workspace waiting, and an entry stays while its article is scheduled", async ({
  onTestFinished,
}) => {
  const made = await aDatabase(String(process.env.DATABASE_URL));
  onTestFinished(() => made.drop());
  const owner = await made.connect();
  const [busy, quiet] = [await plant(owner), await plant(owner)];
  for (const table of ["audit_entries", "audit_items"]) await owner.query(`DELETE FROM ${table}`);
  await owner.query("UPDATE workspaces SET audit_days = 90");
  const { rows } = await owner.query<{ id: string }>(
    "UPDATE articles SET publish_at = now() + interval '1 year' WHERE workspace_id = $1 RETURNING id",
    [quiet.id],
  );
  await owner.query(
    `WITH entries AS (
       INSERT INTO audit_entries (workspace_id, actor_kind, actor_name, action, subject_kind, subject_id, subject_name, created_at)
       SELECT w, 'system', 'test', action, 'article', $3::uuid, action, now() - interval '100 days'
       FROM (SELECT $1::uuid, 'bare' FROM generate_series(1, 2000)
         UNION ALL VALUES ($1, 'many'), ($2::uuid, 'few'), ($2, 'article.scheduled')) v (w, action) RETURNING workspace_id, id, action)
     INSERT INTO audit_items (workspace_id, entry_id, subject_id, subject_name)
     SELECT workspace_id, id, gen_random_uuid(), 'x' FROM entries, generate_series(1, CASE action WHEN 'many' THEN 6000 ELSE 3 END)
     WHERE action IN ('many', 'few')`,
    [busy.id, quiet.id, rows[0]?.id],
  );
  const handlers = jobHandlers({ deliver: async () => {}, baseUrl: "http://localhost:3000" });
  const databaseUrl = await made.serverLogin();
  const look = () => startWorker({ databaseUrl, handlers, log: () => {} }).stop();
  const left = async () =>
    (await owner.query<{ action: string }>("SELECT action FROM audit_entries ORDER BY action")).rows.map(
      ({ action }) => action,
    );
  for (let run = 0; run < 2; run++) await look();
  expect(await left()).toEqual(["article.scheduled", "many"]);
  await owner.query("UPDATE articles SET publish_at = NULL");
  await look();
  expect(await left()).toEqual(["many"]);
});

test("expired and idle sessions, expired links, old deletions, webhooks, idempotency keys and limits, and IP addresses in old audit entries, are deleted", async ({
  onTestFinished,
}) => {
  const made = await aDatabase(String(process.env.DATABASE_URL));
  onTestFinished(() => made.drop());
  const owner = await made.connect();
  const planted = await plant(owner);
  const ids = [planted.id, planted.ids.members];
  await owner.query("DELETE FROM sessions");
  await owner.query("DELETE FROM member_tokens");
  await owner.query("DELETE FROM audit_entries");
  await owner.query("DELETE FROM idempotency_keys");
  await owner.query("DELETE FROM article_changes");
  await owner.query(
    `INSERT INTO article_changes (workspace_id, id, number, deleted, changed_at)
     SELECT $1, gen_random_uuid(), days, gone, now() - make_interval(days => days) FROM (VALUES (90, true), (92, true), (93, false)) v (days, gone)`,
    [planted.id],
  );
  await owner.query(
    `INSERT INTO sessions (workspace_id, member_id, user_agent, expires_at, last_seen_at)
     VALUES ($1, $2, 'old', now() - interval '1 minute', now()), ($1, $2, 'new', now() + interval '1 minute', now() - interval '13 days'),
       ($1, $2, 'idle', now() + interval '1 minute', now() - interval '15 days')`,
    ids,
  );
  await owner.query(
    `INSERT INTO member_tokens (workspace_id, member_id, purpose, token_hash, expires_at)
     VALUES ($1, $2, 'sign_in', '\\x01', now() - interval '8 days'), ($1, $2, 'sign_in', '\\x02', now() - interval '6 days')`,
    ids,
  );
  await owner.query(
    `INSERT INTO audit_entries (workspace_id, actor_kind, actor_name, action, subject_kind, subject_name, ip, created_at)
     SELECT $1, 'system', 'test', 'x', 'x', days || ' days', '203.0.113.1', now() - make_interval(days => days) FROM unnest(ARRAY[179, 181]) days`,
    [planted.id],
  );
  await owner.query(
    `INSERT INTO idempotency_keys (workspace_id, api_key_id, key, request_hash, status, body, created_at)
     SELECT $1, $2, hours || ' hours', '\\x01', 200, '{}', now() - make_interval(hours => hours) FROM unnest(ARRAY[23, 25]) hours`,
    [planted.id, planted.ids.api_keys],
  );
  await owner.query(
    `INSERT INTO rate_limits (key, points, expire)
     SELECT 'limit ' || s, 1, extract(epoch FROM now() + make_interval(secs => s)) * 1000 FROM unnest(ARRAY[-120, 60]) s`,
  );
  await owner.query("DELETE FROM webhook_deliveries");
  await owner.query(
    `INSERT INTO webhook_deliveries (workspace_id, endpoint_id, event, body, state, created_at)
     SELECT $1, $2, 'x', days || ' days', 'delivered', now() - make_interval(days => days) FROM unnest(ARRAY[13, 15]) days`,
    [planted.id, planted.ids.webhook_endpoints],
  );
  const worker = startWorker({
    databaseUrl: await made.serverLogin(),
    handlers: jobHandlers({ deliver: async () => {}, baseUrl: "http://localhost:3000" }),
    log: () => {},
  });
  onTestFinished(() => worker.stop());
  const kept = async () => {
    const { rows } = await owner.query<{ kept: string }>(
      `SELECT user_agent AS kept FROM sessions UNION ALL SELECT encode(token_hash, 'hex') FROM member_tokens
       UNION ALL SELECT 'change ' || number FROM article_changes UNION ALL SELECT key FROM idempotency_keys
       UNION ALL SELECT 'webhook ' || body FROM webhook_deliveries UNION ALL SELECT key FROM rate_limits
       UNION ALL SELECT subject_name || ' ' || coalesce(ip, 'without') FROM audit_entries ORDER BY 1`,
    );
    return rows.map((row) => row.kept);
  };
  await expect
    .poll(kept)
    .toEqual([
      ...[
        "02",
        "179 days 203.0.113.1",
        "181 days without",
        "23 hours",
        "change 90",
        "change 93",
        "limit 60",
        "new",
        "webhook 13 days",
      ],
    ]);
});
