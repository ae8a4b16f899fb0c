import { expect, test } from "vitest";
import { jobHandlers } from "@/server/jobs/handlers";
import { startWorker } from "@/server/jobs/worker";
import { plant } from "@/testing/wall";
import { aDatabase } from "@/testing/workspace";

test("expired and idle sessions, expired links, old deletions, webhooks and idempotency keys, and IP addresses in old audit entries, are deleted", async ({
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
  await owner.query("DELETE FROM webhook_deliveries");
  await owner.query(
    `INSERT INTO webhook_deliveries (workspace_id, endpoint_id, event, body, state, created_at)
     SELECT $1, $2, 'x', days || ' days', 'delivered', now() - make_interval(days => days) FROM unnest(ARRAY[13, 15]) days`,
    [planted.id, planted.ids.webhook_endpoints],
  );
  const worker = startWorker({
    databaseUrl: made.url,
    handlers: jobHandlers({ deliver: async () => {}, baseUrl: "http://localhost:3000" }),
    log: () => {},
  });
  onTestFinished(() => worker.stop());
  const kept = async () => {
    const { rows } = await owner.query<{ kept: string }>(
      `SELECT user_agent AS kept FROM sessions UNION ALL SELECT encode(token_hash, 'hex') FROM member_tokens
       UNION ALL SELECT 'change ' || number FROM article_changes UNION ALL SELECT key FROM idempotency_keys
       UNION ALL SELECT 'webhook ' || body FROM webhook_deliveries
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
        "new",
        "webhook 13 days",
      ],
    ]);
});
