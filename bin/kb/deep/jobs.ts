import { NO_WORKSPACE } from "@/lib/jobs";
import type { SqlCheck } from "./sql-checks";

const jobs = `(SELECT j.id, j.is_available, j.run_at, t.identifier AS task, j.payload->>'workspace_id' AS workspace_id,
  j.payload->'payload' AS payload
  FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id)`;
const jobOf = (row: string, task: string, name: string) => `EXISTS (SELECT FROM ${jobs} j
  WHERE j.task = '${task}' AND j.workspace_id = ${row}.workspace_id::text AND j.payload->>'${name}' = ${row}.id::text)`;
const there = (table: string, name: string, more = "") => `EXISTS (SELECT FROM ${table} x
  WHERE x.workspace_id::text = j.workspace_id AND x.id::text = j.payload->>'${name}'${more})`;

/** For the whole installation, because jobs are not behind the wall. */
export const jobChecks: SqlCheck[] = [
  {
    name: "running bulk actions, imports, and exports have a job",
    remedy: "Start a server. If they are still listed after 10 minutes, cancel them.",
    wrong: `SELECT b.id FROM bulk_actions b WHERE b.state IN ('running', 'stopping') AND NOT ${jobOf("b", "bulk_action", "actionId")}
      UNION ALL SELECT t.id FROM transfers t WHERE t.state IN ('checking', 'running') AND NOT ${jobOf("t", "transfer", "transferId")}`,
  },
  {
    // Jobs that are not due may refer to something deleted since. They end when they run.
    name: "waiting jobs refer to things that exist",
    remedy: "Start a server. They end when they run.",
    wrong: `SELECT j.id FROM ${jobs} j
      WHERE j.is_available AND j.run_at < now() - interval '1 minute' AND j.workspace_id <> '${NO_WORKSPACE}' AND (
        NOT EXISTS (SELECT FROM workspaces w WHERE w.id::text = j.workspace_id)
        OR j.task = 'bulk_action' AND NOT ${there("bulk_actions", "actionId")}
        OR j.task = 'transfer' AND NOT ${there("transfers", "transferId")}
        OR j.task = 'publish_scheduled' AND NOT ${there("articles", "articleId")}
          AND NOT ${there("trash", "articleId", " AND x.kind = 'article'")})`,
  },
];
