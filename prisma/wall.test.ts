import type { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aDatabase, type TestDatabase, testServers } from "@/testing/workspace";

// The wall as the catalog has it. lib/db/db.test.ts proves that it holds.

const globalTables = [
  ...["_applied_functions", "_prisma_migrations", "daily_salts", "former_subdomains", "rate_limits", "tries"],
  "workspaces",
];

const all = "DELETE INSERT SELECT UPDATE";

/** The grants of product code. A table that is not listed is closed to it. */
const grants: Record<string, string> = {
  api_keys: "INSERT SELECT UPDATE",
  article_attachments: all,
  article_changes: "INSERT SELECT",
  "article_changes.changed_at": "UPDATE",
  "article_changes.deleted": "UPDATE",
  "article_changes.number": "UPDATE",
  "article_changes.was_public": "UPDATE",
  article_drafts: all,
  article_links: all,
  article_live: all,
  article_tags: all,
  article_versions: "DELETE INSERT SELECT",
  article_view_months: all,
  article_views: "DELETE INSERT SELECT",
  articles: all,
  audit_entries: "INSERT SELECT",
  audit_items: "INSERT SELECT",
  bulk_actions: all,
  categories: all,
  content_versions: "SELECT",
  "content_versions.changes": "UPDATE",
  "content_versions.drafts": "UPDATE",
  "content_versions.version": "UPDATE",
  feedback: all,
  idempotency_keys: "INSERT SELECT",
  identity_providers: all,
  invitations: "INSERT SELECT UPDATE",
  member_tokens: all,
  members: "INSERT SELECT UPDATE",
  passkeys: all,
  recovery_codes: all,
  redirects: all,
  related_articles: all,
  roles: all,
  search_documents: all,
  search_opens: "DELETE INSERT SELECT",
  search_pins: all,
  search_vectors: all,
  search_words: "DELETE INSERT SELECT",
  searches: all,
  sessions: all,
  snippet_updates: all,
  snippets: all,
  synonyms: all,
  tags: all,
  transfers: all,
  trash: all,
  two_step: all,
  uploads: all,
  webhook_deliveries: all,
  webhook_endpoints: all,
  workspaces: "SELECT",
  "workspaces.accent_color": "UPDATE",
  "workspaces.audit_days": "UPDATE",
  "workspaces.audit_ip_days": "UPDATE",
  "workspaces.contact": "UPDATE",
  "workspaces.feedback_enabled": "UPDATE",
  "workspaces.header_links": "UPDATE",
  "workspaces.home_headline": "UPDATE",
  "workspaces.home_text": "UPDATE",
  "workspaces.language": "UPDATE",
  "workspaces.logo_upload_id": "UPDATE",
  "workspaces.name": "UPDATE",
  "workspaces.search_log_enabled": "UPDATE",
  "workspaces.time_zone": "UPDATE",
  "workspaces.two_step_rule": "UPDATE",
  "workspaces.updated_at": "UPDATE",
  "workspaces.visibility": "UPDATE",
};

/** What a server's login may do on top of that. Its questions go across workspaces. */
const serverGrants: Record<string, string> = {
  _applied_functions: "SELECT",
  _prisma_migrations: "SELECT",
  article_changes: "DELETE",
  audit_entries: "DELETE",
  "audit_entries.ip": "UPDATE",
  audit_items: "DELETE",
  content_versions: "INSERT",
  daily_salts: all,
  former_subdomains: "DELETE INSERT SELECT",
  idempotency_keys: "DELETE",
  rate_limits: all,
  tries: all,
  workspaces: "DELETE INSERT",
  "workspaces.delete_after": "UPDATE",
  "workspaces.subdomain": "UPDATE",
};

/** Search documents have no index that begins with the workspace (ARCHITECTURE.md). */
const isSearched = (name: unknown) => String(name).startsWith("search_documents");

/** Readers see nothing of these tables. */
const unseenTables =
  `api_keys article_changes article_drafts article_links article_versions article_view_months article_views audit_entries audit_items bulk_actions
  content_versions
  feedback former_subdomains idempotency_keys identity_providers invitations member_tokens passkeys recovery_codes roles search_opens search_vectors search_words
  searches sessions snippet_updates snippets
  transfers trash two_step webhook_deliveries webhook_endpoints`.split(/\s+/);

/** Readers see nothing of these columns of tables that they see. */
const seenInPart: Record<string, string> = {
  article_attachments: "created_at in_draft",
  article_tags: "in_draft",
  articles:
    "external_id previews_ended publish_at publish_held revision slug_chosen source_hash source_path source_state unique_views_count",
  members:
    "active created_at email email_confirmed email_folded last_seen_at password_hash role_id time_zone updated_at",
  related_articles: "in_draft",
  uploads: "created_at created_by sha256 source_sha256 storage_key unused_since",
  workspaces: "audit_days audit_ip_days created_at search_log_enabled two_step_rule updated_at",
};

/** Tables with one row per workspace. */
const keys: Record<string, string> = { content_versions: "workspace_id" };

const setting = "(current_setting('app.workspace_id'::text))::uuid";

/** Tables of workspaces, partitions too, with the column that holds the workspace. */
const walled = `
  SELECT c.oid, c.relname AS name, a.attname AS owner, a.attnum AS number, c.relispartition
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    AND a.attname = CASE c.relname WHEN 'workspaces' THEN 'id' ELSE 'workspace_id' END
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')`;

describe.each(testServers)("on %s", (_, server) => {
  let made: TestDatabase;
  let database: Client;

  beforeAll(async () => {
    made = await aDatabase(server);
    database = await made.connect();
  });

  afterAll(async () => {
    await made.drop();
  });

  /** The first column of every row. */
  async function list(sql: string, values: unknown[] = []): Promise<unknown[]> {
    const { rows } = await database.query<unknown[]>({ text: sql, values, rowMode: "array" });
    return rows.map(([value]) => value);
  }

  test("every table is of a workspace but those named here", async () => {
    const tables = await list(
      `SELECT c.relname FROM pg_class c
       WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
         AND NOT EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'workspace_id' AND a.attnum = 1)
       ORDER BY 1`,
    );
    expect(tables).toEqual(globalTables);
  });

  test("every table of workspaces, and each of its partitions, has the policy and it is switched on", async () => {
    const { rows } = await database.query<{
      name: string;
      on: boolean;
      policies: string[];
      owner: string;
      partition: boolean;
    }>(
      `SELECT w.name, w.owner, w.relispartition AS partition, c.relrowsecurity AS on, ARRAY(
         SELECT format('%s for %s to %s using %s check %s', p.polname, p.polcmd, p.polroles::regrole[],
           pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid))
         FROM pg_policy p WHERE p.polrelid = c.oid ORDER BY p.polname) AS policies
       FROM (${walled}) w JOIN pg_class c ON c.oid = w.oid`,
    );
    expect(rows.length).toBeGreaterThan(64 + 20);
    for (const { name, on, policies, owner, partition } of rows) {
      const match = `(${owner} = ${setting})`;
      const servers = partition ? [] : ["server for * to {kb_server} using true check true"];
      expect({ name, on, policies }).toEqual({
        name,
        on: true,
        policies: [...servers, `wall for * to {kb_tenant} using ${match} check ${match}`],
      });
    }
  });

  test("a row of a workspace is known by the workspace and its id, and belongs to the wall's workspace by default", async () => {
    const { rows } = await database.query(
      `SELECT w.name, pg_get_constraintdef(k.oid) AS key, a.attnotnull AS required, pg_get_expr(d.adbin, d.adrelid) AS value
       FROM (${walled}) w
       JOIN pg_constraint k ON k.conrelid = w.oid AND k.contype = 'p'
       JOIN pg_attribute a ON a.attrelid = w.oid AND a.attnum = w.number
       LEFT JOIN pg_attrdef d ON d.adrelid = w.oid AND d.adnum = w.number
       WHERE w.name <> ALL($1)`,
      [globalTables],
    );
    expect(rows.length).toBeGreaterThan(64 + 20);
    for (const row of rows) {
      const key = keys[row.name] ?? (isSearched(row.name) ? "id, workspace_id" : "workspace_id, id");
      expect(row).toEqual({ name: row.name, key: `PRIMARY KEY (${key})`, required: true, value: setting });
    }
  });

  test("every unique index of a workspace's table begins with the workspace", async () => {
    const sql = (comparison: string) =>
      `SELECT i.indexrelid::regclass::text FROM (${walled}) w JOIN pg_index i ON i.indrelid = w.oid
       WHERE i.indisunique AND w.name <> ALL($1) AND i.indkey[0] ${comparison} w.number`;
    expect((await list(sql("<>"), [globalTables])).filter((index) => !isSearched(index))).toEqual([]);
    expect((await list(sql("="), [globalTables])).length).toBeGreaterThan(30);
  });

  test("every reference carries the workspace on both sides: the database's own check of it bypasses policies", async () => {
    const sql = (condition: string) =>
      `SELECT k.conname FROM pg_constraint k JOIN (${walled}) child ON child.oid = k.conrelid
       JOIN (${walled}) parent ON parent.oid = k.confrelid
       WHERE k.contype = 'f' AND ${condition} (k.conkey[1] = child.number AND k.confkey[1] = parent.number)`;
    expect(await list(sql("NOT"))).toEqual([]);
    expect((await list(sql(""))).length).toBe((await list("SELECT oid FROM pg_constraint WHERE contype = 'f'")).length);
  });

  test("every index behind a policy compares by leakproof operators: others may not use it", async () => {
    const { rows } = await database.query(
      `SELECT i.indexrelid::regclass::text AS index,
         -- Five operators to compare by, for each column.
         bool_and(p.proleakproof) AND count(*) = 5 * i.indnkeyatts AS leakproof
       FROM (${walled}) w
       JOIN pg_index i ON i.indrelid = w.oid
       JOIN pg_class x ON x.oid = i.indexrelid JOIN pg_am m ON m.oid = x.relam AND m.amname = 'btree'
       CROSS JOIN unnest(i.indclass) AS used (class)
       LEFT JOIN pg_opclass o ON o.oid = used.class
       LEFT JOIN pg_amop s ON s.amopfamily = o.opcfamily AND s.amoplefttype = o.opcintype AND s.amoprighttype = o.opcintype
       LEFT JOIN pg_operator r ON r.oid = s.amopopr LEFT JOIN pg_proc p ON p.oid = r.oprcode
       GROUP BY i.indexrelid, i.indnkeyatts`,
    );
    expect(rows.length).toBeGreaterThan(64 + 40);
    expect(rows.filter(({ leakproof }) => !leakproof)).toEqual([]);
  });

  test("the functions that pass through the wall are these five, with a fixed path, closed to the public", async () => {
    const { rows } = await database.query(
      `SELECT p.proname AS name, l.lanname AS language, p.proconfig AS settings,
         has_function_privilege('public', p.oid, 'EXECUTE') AS "forEveryone",
         has_function_privilege('kb_tenant', p.oid, 'EXECUTE') AS "forProductCode"
       FROM pg_proc p JOIN pg_language l ON l.oid = p.prolang
       WHERE p.prosecdef AND p.pronamespace NOT IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
       ORDER BY p.proname`,
    );
    const hatch = {
      language: "plpgsql",
      settings: ["search_path=pg_catalog, public, pg_temp"],
      forEveryone: false,
      forProductCode: true,
    };
    const planning = ["plan_cache_mode=force_custom_plan", "enable_seqscan=off", "jit=off"];
    const byIndex = [...planning, "enable_indexscan=off", "cpu_tuple_cost=0.1"];
    const counting = [...byIndex, "max_parallel_workers_per_gather=0"];
    expect(rows).toEqual([
      { name: "enqueue_job", ...hatch },
      { name: "search_counts", ...hatch, settings: [...hatch.settings, ...counting] },
      { name: "search_filter", ...hatch, settings: [...hatch.settings, ...byIndex] },
      { name: "search_rank", ...hatch, settings: [...hatch.settings, ...byIndex] },
      { name: "search_some", ...hatch, settings: [...hatch.settings, ...counting] },
    ]);
  });

  test("kb_tenant cannot sign in, has no power over policies, owns nothing and is a member of nothing", async () => {
    const { rows } = await database.query(
      `SELECT rolcanlogin, rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication,
         (SELECT count(*)::int FROM pg_shdepend WHERE refobjid = r.oid AND refclassid = 'pg_authid'::regclass AND deptype = 'o') AS owns,
         (SELECT count(*)::int FROM pg_auth_members WHERE member = r.oid) AS memberships,
         has_schema_privilege(r.oid, 'public', 'CREATE') AS "makesTables"
       FROM pg_roles r WHERE rolname = 'kb_tenant'`,
    );
    expect(rows).toEqual([
      {
        rolcanlogin: false,
        rolsuper: false,
        rolbypassrls: false,
        rolcreaterole: false,
        rolcreatedb: false,
        rolreplication: false,
        owns: 0,
        memberships: 0,
        makesTables: false,
      },
    ]);
  });

  /** The privileges of roles on tables and columns. */
  async function granted(...roles: string[]): Promise<Record<string, string>> {
    const { rows } = await database.query<{ what: string; privileges: string }>(
      `SELECT what, string_agg(privilege_type, ' ' ORDER BY privilege_type) AS privileges FROM (
         SELECT c.relname::text AS what, a.* FROM pg_class c, aclexplode(c.relacl) a WHERE c.relnamespace = 'public'::regnamespace
         UNION ALL
         SELECT c.relname || '.' || t.attname, a.*
         FROM pg_class c JOIN pg_attribute t ON t.attrelid = c.oid, aclexplode(t.attacl) a WHERE c.relnamespace = 'public'::regnamespace
       ) granted WHERE grantee = ANY(SELECT to_regrole(role)::oid FROM unnest($1::text[]) role UNION SELECT 0 WHERE 'public' = ANY($1))
       GROUP BY what`,
      [roles],
    );
    return Object.fromEntries(rows.map(({ what, privileges }) => [what, privileges]));
  }

  test("kb_tenant may do exactly what is listed, and the public nothing", async () => {
    expect(await granted("kb_tenant", "public")).toEqual(grants);
    expect(await list("SELECT defaclobjtype FROM pg_default_acl")).toEqual([]);
  });

  test("kb_server may do exactly what is listed on top of that, and can't sign in", async () => {
    expect(await granted("kb_server")).toEqual(serverGrants);
    expect(await list("SELECT pg_has_role('kb_server', 'kb_tenant', 'USAGE')")).toEqual([true]);
    expect(
      await list(
        `SELECT oid::regrole::text FROM pg_roles WHERE rolname IN ('kb_server', 'kb_tenant')
         AND (rolcanlogin OR pg_has_role('kb_tenant', 'kb_server', 'MEMBER'))`,
      ),
    ).toEqual([]);
  });

  test("kb_tenant can't use the schema of the jobs, which would give access to all workspaces' jobs", async () => {
    await database.query("BEGIN; SAVEPOINT closed; SET LOCAL ROLE kb_tenant");
    await expect(database.query("SELECT graphile_worker.add_job('any')")).rejects.toMatchObject({ code: "42501" });
    await database.query("ROLLBACK TO closed");
    expect(await list("SELECT identifier FROM graphile_worker._private_tasks")).toEqual([]);
    await database.query("SELECT graphile_worker.add_job('any')");
    expect(await list("SELECT task_identifier FROM graphile_worker.jobs")).toEqual(["any"]);
    await database.query("ROLLBACK");
    const open = await list(
      `SELECT c.relname FROM pg_class c WHERE c.relnamespace = 'graphile_worker'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'S')
         AND (has_table_privilege('kb_tenant', c.oid, 'SELECT') OR has_table_privilege('kb_tenant', c.oid, 'INSERT'))`,
    );
    expect(open).toEqual([]);
  });

  test("a new table is closed to product code until access is granted", async () => {
    await database.query("BEGIN");
    await database.query(
      "CREATE TABLE fresh (id integer); INSERT INTO fresh VALUES (1); SAVEPOINT closed; SET LOCAL ROLE kb_tenant",
    );
    await expect(database.query("SELECT * FROM fresh")).rejects.toMatchObject({ code: "42501" });
    await database.query("ROLLBACK TO closed; GRANT SELECT ON fresh TO kb_tenant; SET LOCAL ROLE kb_tenant");
    expect(await list("SELECT id FROM fresh")).toEqual([1]);
    await database.query("ROLLBACK");
  });

  test("a changed row moves the version of what readers see, but for what is named here as nothing they see", async () => {
    const { rows } = await database.query<{ table: string; columns: string[] }>(
      `SELECT w.name AS table, array_agg(a.attname::text ORDER BY a.attname) AS columns
       FROM (${walled}) w JOIN pg_attribute a ON a.attrelid = w.oid AND a.attnum > 0 AND NOT a.attisdropped
       WHERE NOT w.relispartition AND NOT EXISTS (
         SELECT FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
         -- 16: upon an update. With an argument, it moves the version of what only members see.
         WHERE t.tgrelid = w.oid AND t.tgnargs = 0 AND p.proname = 'change_content_version' AND t.tgtype & 16 > 0
           AND (cardinality(t.tgattr::int2[]) = 0 OR a.attnum = ANY(t.tgattr::int2[])))
         AND a.attname NOT IN ('workspace_id', 'id')
       GROUP BY w.name`,
    );
    const unseen = Object.fromEntries(rows.map(({ table, columns }) => [table, columns.join(" ")]));
    const whole = (table: string) => !(table in seenInPart);
    expect(Object.keys(unseen).filter(whole).sort()).toEqual(unseenTables);
    expect(Object.fromEntries(Object.entries(unseen).filter(([table]) => !whole(table)))).toEqual(seenInPart);
  });

  test("search documents lie in 64 partitions, of which a search in one workspace plans one", async () => {
    const partitions = await list(
      "SELECT pg_get_expr(relpartbound, oid) FROM pg_class WHERE relispartition AND relkind = 'r' ORDER BY relname",
    );
    expect(partitions).toEqual(
      Array.from({ length: 64 }, (_, remainder) => `FOR VALUES WITH (modulus 64, remainder ${remainder})`),
    );
    const workspace = "01234567-89ab-4cde-8f01-23456789abcd";
    /** Partitions that were planned for: those in the plan, and those struck off it when it began. */
    const planned = async (sql: string, values: unknown[] = []) => {
      const plan = (await list(`EXPLAIN ${sql}`, values)).join("\n");
      const removed = /Subplans Removed: (\d+)/.exec(plan)?.[1] ?? 0;
      return Number(removed) + (plan.match(/ on search_documents_\d\d\b/g)?.length ?? 0);
    };
    await database.query(`BEGIN; SET LOCAL ROLE kb_tenant; SET LOCAL app.workspace_id = '${workspace}'`);
    expect(await planned("SELECT id FROM search_documents")).toBe(64);
    expect(await planned("SELECT id FROM search_documents WHERE workspace_id = $1", [workspace])).toBe(1);
    await database.query("ROLLBACK");
  });
});
