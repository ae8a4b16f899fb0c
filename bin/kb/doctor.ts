import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Command } from "commander";
import { acrossWorkspaces } from "@/lib/db";
import type { Env } from "@/lib/env";
import { tryMailServer } from "@/lib/mail/mail";
import { uploadStorage } from "@/lib/uploads/chosen-storage";
import { newStorageKey } from "@/lib/uploads/storage";
import { placeOf } from "@/server/backup/place";
import { lastBackup } from "@/server/backup/scheduled";
import { withLibpqModes } from "@/server/postgres";
import { replicaState } from "@/server/postgres/wait";
import { checkDeeply } from "./deep/run";
import { count as counted } from "./output";
import { withDatabase, workspaceNamed } from "./session";

interface Remark {
  /** False if only the operator can tell whether this is a problem. */
  isOk: boolean;
  text: string;
}

interface Check {
  name: string;
  /** @returns the problem and its remedy, a remark, or null */
  problem(env: Env): Promise<string | null | Remark>;
}

/** The longest that one check may take: it reads every row of the installation. */
const SECONDS = 600;

/** Returns a sentence when a query for wrong rows finds any. */
const none = (sql: string, problem: (count: number) => string) => async () => {
  const [row] = await acrossWorkspaces.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM (${sql}) wrong`,
    [],
    SECONDS,
  );
  return row && row.count > 0 ? problem(row.count) : null;
};

/** The login that the database is used with. It should own the tables, or have no more rights than the server needs. */
async function databaseLogin(): Promise<Check> {
  const [login] = await acrossWorkspaces.query<{ name: string; isOwner: boolean; more: string[] }>(
    `SELECT current_user AS name, pg_has_role(c.relowner, 'USAGE') AS "isOwner",
       ARRAY(
         SELECT power FROM (VALUES (r.rolcreaterole, 'CREATEROLE'), (r.rolcreatedb, 'CREATEDB'), (r.rolbypassrls, 'BYPASSRLS'),
           (r.rolreplication, 'REPLICATION'), (has_schema_privilege(c.relnamespace, 'CREATE'), 'CREATE in its schema'),
           (has_database_privilege(current_database(), 'CREATE'), 'CREATE in the database')) v (has, power) WHERE has
         UNION ALL
         SELECT 'the role ' || o.rolname FROM pg_roles o
         WHERE pg_has_role(o.oid, 'MEMBER') AND o.rolname NOT IN (current_user, 'kb_server', 'kb_tenant')
       ) AS more
     FROM pg_class c JOIN pg_roles r ON r.rolname = current_user WHERE c.oid = 'workspaces'::regclass`,
  );
  if (!login) throw new Error("The table workspaces is missing.");
  const { name, isOwner, more } = login;
  return {
    name: `the database login is ${name}, which ${isOwner ? "owns the tables" : "can't change tables"}`,
    async problem() {
      if (isOwner || more.length === 0) return null;
      return `It has more rights than the server needs: ${more.join(", ")}. Revoke them as the database's administrator.`;
    },
  };
}

/** The connection pooler that requests go through, if there is one. */
function pooler({ databaseUrl, directUrl }: Env): Check[] {
  if (databaseUrl === directUrl) return [];
  return [
    {
      name: "the pooler keeps prepared statements",
      async problem() {
        const [row] = await acrossWorkspaces.query<{ isPrepared: boolean }>(
          `SELECT EXISTS (SELECT FROM pg_prepared_statements WHERE statement LIKE '%"isPrepared"%') AS "isPrepared"`,
        );
        if (row?.isPrepared) return null;
        return {
          isOk: false,
          text: "The pooler doesn't keep prepared statements. Queries are faster with PgBouncer 1.21 or newer.",
        };
      },
    },
  ];
}

/** The replica that reads may go to, if there is one. */
function replica({ replicaUrl }: Env): Check[] {
  if (!replicaUrl) return [];
  return [
    {
      name: "the replica follows the database",
      async problem() {
        const state = await replicaState(withLibpqModes(replicaUrl), String(process.env.DATABASE_DIRECT_URL)).catch(
          (error: Error) => error.message,
        );
        if (typeof state === "string") return state;
        const meanwhile = "Meanwhile, the primary answers all reads.";
        if ("away" in state)
          return `The replica can't be reached (${state.away}). Start it, or correct DATABASE_REPLICA_URL. ${meanwhile}`;
        if (!state.isReplica)
          return "DATABASE_REPLICA_URL is the primary, or a replica that was promoted. Unset it, or set it to a replica of the primary.";
        const age = state.age ? `The last transaction that it replayed is ${counted(state.age, "second")} old.` : null;
        if (!state.isConnected) {
          const text =
            "The replica isn't connected to the primary. Check its log. If its slot is lost, set the replica up again.";
          return state.isCurrent ? { isOk: false, text } : `${text} ${meanwhile}`;
        }
        if (!state.isCurrent)
          return `The replica hasn't replayed all that it received. Check its log, and whether replay is paused (SELECT pg_is_wal_replay_paused()). ${meanwhile}`;
        return age ? { isOk: true, text: age } : null;
      },
    },
  ];
}

const checks: Check[] = [
  {
    name: "row security applies to the role kb_tenant",
    problem: none(
      "SELECT 1 FROM pg_roles WHERE rolname = 'kb_tenant' AND (rolsuper OR rolbypassrls)",
      () => "Run ALTER ROLE kb_tenant NOSUPERUSER NOBYPASSRLS as the database's administrator.",
    ),
  },
  {
    name: "every workspace table has row security",
    problem: none(
      `SELECT c.relname FROM pg_class c
       WHERE c.relkind IN ('r', 'p') AND (c.relname = 'workspaces'
           OR EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'workspace_id'))
         AND c.relnamespace = current_schema()::regnamespace
         AND NOT (c.relrowsecurity AND EXISTS (SELECT 1 FROM pg_policy p WHERE p.polrelid = c.oid AND p.polname = 'wall'))`,
      (count) => `Tables without row security: ${count}. The schema was changed manually. Restore it from a backup.`,
    ),
  },
  {
    name: "sessions can be signed",
    async problem({ authSecret, dataDir }) {
      if (authSecret || existsSync(join(dataDir, "secrets.json"))) return null;
      return "There is no secret yet. In production, set AUTH_SECRET (openssl rand -base64 32). The quickstart generates one.";
    },
  },
  {
    name: "every workspace has an active administrator",
    problem: none(
      `SELECT 1 FROM workspaces w WHERE w.delete_after IS NULL AND NOT EXISTS (
         SELECT 1 FROM members m JOIN roles r ON r.workspace_id = m.workspace_id AND r.id = m.role_id
         WHERE m.workspace_id = w.id AND m.active AND r.permissions @> '{members.manage,settings.manage}')`,
      (count) =>
        `Workspaces without an administrator: ${count}. Add one with "npm run kb -- member create … --role Admin".`,
    ),
  },
  {
    name: "an article is published if, and only if, it has live text",
    problem: none(
      `SELECT 1 FROM articles a LEFT JOIN article_live l ON l.workspace_id = a.workspace_id AND l.id = a.id
       WHERE (a.state = 'published') <> (l.id IS NOT NULL)`,
      (count) => `Articles in the wrong state: ${count}. Restore them from a backup or import them again.`,
    ),
  },
  {
    name: "every article can be searched",
    problem: none(
      `SELECT 1 FROM articles a LEFT JOIN search_documents s ON s.workspace_id = a.workspace_id AND s.id = a.id
       JOIN workspaces w ON w.id = a.workspace_id AND w.delete_after IS NULL
       WHERE s.id IS NULL OR s.published <> (a.state = 'published')`,
      (count) =>
        `Articles that search can't find or shows in the wrong state: ${count}. Run "npm run kb -- reindex --all".`,
    ),
  },
  {
    name: "categories form a tree of at most 6 levels",
    problem: none(
      `WITH RECURSIVE tree AS (
         SELECT workspace_id, id, 1 AS level FROM categories WHERE parent_id IS NULL
         UNION ALL
         SELECT c.workspace_id, c.id, t.level + 1
         FROM tree t JOIN categories c ON c.workspace_id = t.workspace_id AND c.parent_id = t.id WHERE t.level < 7
       )
       SELECT 1 FROM categories c LEFT JOIN tree t ON t.workspace_id = c.workspace_id AND t.id = c.id
       WHERE t.id IS NULL OR t.level > 6`,
      (count) => `Categories that are too deep or form a cycle: ${count}. Move them to a higher level.`,
    ),
  },
  {
    name: "every uploaded file is stored, and every stored file is an upload",
    problem: filesApart,
  },
  {
    name: "files can be written",
    problem: notWritable,
  },
  {
    name: "backups can be stored",
    problem: noBackups,
  },
  {
    name: "mail can be delivered",
    async problem({ smtpUrl, nodeEnv }) {
      if (!smtpUrl)
        return nodeEnv === "production" ? "SMTP_URL is not set, so mail is only written to files. Set it." : null;
      return tryMailServer(smtpUrl).then(
        () => null,
        (error: Error) => `${error.message}. Check SMTP_URL.`,
      );
    },
  },
  {
    name: "background jobs run",
    problem: none(
      "SELECT FROM graphile_worker.jobs WHERE run_at < now() - interval '10 minutes' AND locked_at IS NULL AND attempts < max_attempts",
      (count) => `Jobs that have waited for 10 minutes: ${count}. Start a server, and look for errors in its log.`,
    ),
  },
  {
    name: "the clocks of this machine and the database agree",
    async problem() {
      const before = Date.now();
      const [row] = await acrossWorkspaces.query<{ now: Date }>("SELECT clock_timestamp() AS now");
      const apart = Math.round(((row?.now.getTime() ?? before) - (before + Date.now()) / 2) / 1000);
      return Math.abs(apart) < 30 ? null : `They are ${Math.abs(apart)} seconds apart. Synchronize both with NTP.`;
    },
  },
];

/** Stores a file as uploads are stored, and writes one to DATA_DIR. */
async function notWritable({ dataDir }: Env): Promise<string | null> {
  try {
    const key = newStorageKey(randomUUID());
    await uploadStorage().put(key, Buffer.from("doctor"));
    await uploadStorage().remove(key);
    const file = join(dataDir, `doctor-${process.pid}`);
    await writeFile(file, "");
    await rm(file);
    return null;
  } catch (error) {
    return `${(error as Error).message}. Check DATA_DIR, its owner, and the S3 settings.`;
  }
}

/** Lists the scheduled backups, and writes a file beside them. */
async function noBackups(env: Env): Promise<string | Remark> {
  const { backups } = env;
  // Another program may make them.
  if (!backups) return { isOk: false, text: "No backups are scheduled. Set BACKUP_TO." };
  try {
    const place = placeOf(backups.to, env);
    const last = await lastBackup(place);
    await place.try();
    const [oldest] = await acrossWorkspaces.query<{ made: Date | null }>(
      "SELECT min(created_at) AS made FROM workspaces",
    );
    const since = last ?? oldest?.made;
    const hours = since ? (Date.now() - since.getTime()) / 3_600_000 : 0;
    const found = last ? `The newest backup is ${counted(Math.floor(hours), "hour")} old.` : "There is no backup yet.";
    if (hours < 2 * backups.hours) return { isOk: true, text: found };
    return `${found} Check that a server is running, and look in its log for errors from the \`backup\` job.`;
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    return code && typeof backups.to === "string"
      ? `Can't write to ${backups.to} (${code}). Check its owner and permissions.`
      : message;
  }
}

/** Compares the rows with the files, however many. Ignores files of the last day, which may still be uploading. */
async function filesApart(): Promise<string | null> {
  const rows = await acrossWorkspaces.query<{ key: string }>("SELECT storage_key AS key FROM uploads", [], SECONDS);
  const missing = new Set(rows.map(({ key }) => key));
  const before = Date.now() - 24 * 60 * 60_000;
  const stray: string[] = [];
  for await (const { key, modifiedAt } of uploadStorage().list()) {
    if (!missing.delete(key) && modifiedAt.getTime() < before) stray.push(key);
  }
  // Uploads deleted since the rows were read have neither a file nor a row.
  const gone = missing.size === 0 ? [] : await stillThere([...missing]);
  const said = [
    gone.length > 0 && `${named(gone)} have no file. Restore the files from a backup.`,
    stray.length > 0 &&
      `${named(stray)} have no upload. The cleanup deletes them within an hour, or you can delete them.`,
  ].filter((line) => line !== false);
  return said.length > 0 ? said.join(" ") : null;
}

async function stillThere(keys: string[]): Promise<string[]> {
  const rows = await acrossWorkspaces.query<{ key: string }>(
    "SELECT storage_key AS key FROM uploads WHERE storage_key = ANY($1)",
    [keys],
    SECONDS,
  );
  return rows.map(({ key }) => key);
}

function named(keys: string[]): string {
  const first = keys.slice(0, 5).join(", ");
  return keys.length > 5 ? `${keys.length} (${first} …)` : `${keys.length} (${first})`;
}

function say(name: string, found: string | null | Remark): void {
  if (found === null) console.log(`ok       ${name}`);
  else if (typeof found === "string") console.log(`problem  ${name}: ${found}`);
  else console.log(`${found.isOk ? "ok      " : "note    "} ${name}: ${found.text}`);
}

export function doctorCommand(): Command {
  return new Command("doctor")
    .description("Checks the installation and its data, and suggests fixes.")
    .option("--deep", "also check the data of every workspace, row by row, and the search index")
    .option("--workspace <subdomain>", "with --deep: check only this workspace")
    .action(({ deep, workspace }: { deep?: boolean; workspace?: string }) =>
      withDatabase(async (env) => {
        let problems = 0;
        const all = [await databaseLogin(), ...pooler(env), ...replica(env), ...checks];
        for (const check of all) {
          const found = await check.problem(env);
          if (typeof found === "string") problems++;
          say(check.name, found);
        }
        const findings = deep ? await checkDeeply(workspace ? await workspaceNamed(workspace) : undefined) : [];
        for (const { name, remedy, count, ids } of findings) {
          if (count > 0) problems++;
          say(name, count === 0 ? null : `${count} (${ids.join(", ")}${count > ids.length ? " …" : ""}). ${remedy}`);
        }
        const total = all.length + findings.length;
        console.log(problems === 0 ? "All checks passed." : `${problems} of ${total} checks found a problem.`);
        if (problems > 0) process.exitCode = 1;
      }),
    );
}
