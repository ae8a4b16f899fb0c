import { randomBytes, randomUUID } from "node:crypto";
import type { Client } from "pg";

/** A workspace with a row in every table. Each row names its workspace. */
export interface Planted {
  id: string;
  /** A word that is in every text of this workspace and nowhere else. */
  word: string;
  /** Id of the row in each table. `leaf` is a subcategory of the other, `bare` an article with nothing attached. */
  ids: Record<string, string>;
}

/** Creates a workspace as the tables' owner, whom no policy limits. Add a row for each new table: attacks try them all. */
export async function plant(owner: Client): Promise<Planted> {
  const word = `w${randomBytes(6).toString("hex")}`;
  const id = randomUUID();
  const ids: Record<string, string> = {};
  const sql = [`BEGIN; SET LOCAL app.workspace_id = '${id}'`];
  const literal = (value: string | number | boolean) =>
    typeof value === "string" ? owner.escapeLiteral(value) : String(value);
  const insert = (table: string, values: Record<string, string | number | boolean>, name = table) => {
    const row: typeof values = { id: randomUUID(), ...values };
    ids[name] = String(row.id);
    sql.push(`INSERT INTO ${table} (${Object.keys(row).join()}) VALUES (${Object.values(row).map(literal).join()})`);
    return ids[name];
  };
  const bytes = `\\x${Buffer.from(word).toString("hex")}`;
  const soon = new Date(Date.now() + 24 * 60 * 60_000).toISOString();
  const places = { in_live: true, in_draft: true };

  insert("workspaces", { id, subdomain: word, name: word });
  const role_id = insert("roles", { name: word, permissions: "{}" });
  const email = `${word}@example.com`;
  const member_id = insert("members", { email, first_name: word, last_name: word, role_id });
  const upload = { storage_key: word, filename: word, content_type: "image/png", byte_size: 1, sha256: bytes };
  const upload_id = insert("uploads", { ...upload, created_by: member_id });
  sql.push(`UPDATE members SET picture_upload_id = '${upload_id}' WHERE id = '${member_id}'`);
  sql.push(`UPDATE workspaces SET logo_upload_id = '${upload_id}' WHERE id = '${id}'`);
  insert("sessions", { member_id, ip: word, expires_at: soon });
  insert("member_tokens", { member_id, purpose: "sign_in", token_hash: bytes, expires_at: soon });
  insert("two_step", { id: member_id, secret: bytes });
  insert("recovery_codes", { member_id, code_hash: bytes });
  const credential = { credential_id: bytes, public_key: bytes, counter: 0 };
  insert("passkeys", { member_id, ...credential, name: word });
  const provider = { name: word, issuer: word, client_id: word, client_secret: bytes };
  insert("identity_providers", { ...provider, new_member_role_id: role_id });
  const key = { name: word, key_hash: bytes, last_four: "last", scopes: "{content.read}", created_by: member_id };
  const key_id = insert("api_keys", key);
  sql.push(`UPDATE api_keys SET rotated_from_id = id WHERE id = '${key_id}'`);
  const invitation = { email, role_id, invited_by: member_id, invited_by_key: key_id };
  insert("invitations", { ...invitation, token_hash: bytes, expires_at: soon });
  const repeatable = { api_key_id: key_id, key: word, request_hash: bytes };
  insert("idempotency_keys", { ...repeatable, status: 201, location: word, body: word });

  const category_id = insert("categories", { name: word, slug: word });
  insert("categories", { name: word, slug: `${word}-leaf`, parent_id: category_id }, "leaf");
  const article = (permalink: string, slug: string, state: string) => ({
    ...{ permalink: `a-${permalink}`, slug, state, title: word, category_id, author_id: member_id },
  });
  const related_id = insert("articles", article(word.slice(1, 9), `${word}-bare`, "draft"), "bare");
  const article_id = insert("articles", article(word.slice(5, 13), word, "published"));
  const text = { title: word, html: word, text: word };
  insert("article_live", { id: article_id, ...text, rendered_html: word, excerpt: word, markdown: word });
  insert("article_drafts", { id: article_id, ...text, updated_by: member_id, updated_by_key: key_id });
  const version = {
    article_id,
    number: 1,
    kind: "publish",
    title: word,
    html: word,
    created_by: member_id,
    created_by_key: key_id,
  };
  insert("article_versions", version);
  const batch = randomUUID();
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
  const trashed = { kind: "article", batch, title: word, rows: JSON.stringify({ articles: [{ title: word }] }) };
  insert("trash", { ...trashed, deleted_by: member_id, deleted_by_name: word, until: tomorrow });
  const tag_id = insert("tags", { name: word, name_folded: word });
  insert("article_tags", { article_id, tag_id, ...places });
  insert("article_attachments", { article_id, upload_id, ...places });
  insert("related_articles", { article_id, related_id, ...places });
  insert("article_links", { article_id, kind: "link", href: word, ...places });
  insert("redirects", { from_path: `/${word}`, kind: "article", article_id });
  insert("redirects", { from_path: `/${word}/leaf`, kind: "category", category_id }, "redirectToCategory");
  insert("article_view_months", { article_id, month: "2026-11-01", views: 1 });
  insert("article_views", { article_id, day: soon, viewer_hash: bytes });
  insert("feedback", { article_id, day: soon, viewer_hash: bytes, helpful: true, reason: word });
  insert("searches", { term: word, term_folded: word, results_count: 1 });
  insert("search_opens", { term_folded: word, article_id, day: soon, viewer_hash: bytes });
  insert("synonyms", { term: word, term_folded: word, replacements: `{${word}}`, replacements_folded: `{${word}}` });
  insert("snippets", { name: word, html: word, text: word, upload_ids: `{${upload_id}}` });
  insert("snippet_updates", { id: article_id });
  insert("search_pins", { term: word, term_folded: word, article_id, position: 1, created_by: member_id });
  const transfer = { kind: "export", state: "done", filename: word, created_by: member_id, created_by_name: word };
  insert("transfers", { ...transfer, problem: word });
  const audit = { actor_kind: "system", actor_name: word, action: word, subject_kind: word, subject_name: word };
  // Newer than what tests add, so that it is on the first page.
  const entry_id = insert("audit_entries", { ...audit, created_at: tomorrow });
  insert("audit_items", { entry_id, subject_id: article_id, subject_name: word });
  const bulk = { action: "moved", state: "done", ids: `{${article_id}}`, problem: word, created_by: member_id };
  insert("bulk_actions", { ...bulk, created_by_name: word });
  const endpoint_id = insert("webhook_endpoints", {
    url: word,
    events: `{${word}}`,
    secret: bytes,
    created_by: member_id,
  });
  insert("webhook_deliveries", { endpoint_id, event: word, body: word, state: "delivered", problem: word });
  const found = { id: article_id, published: true, updated_at: soon, title: word };
  insert("search_documents", { ...found, words: `'${word}':1A` });
  insert("search_vectors", { id: article_id, model: word, text_hash: bytes, bits: "{1}", vectors: `{"\\${bytes}"}` });
  sql.push(`INSERT INTO search_words (workspace_id, word, spelling) VALUES ('${id}', '${word}', '${word}')`);
  await owner.query([...sql, "COMMIT"].join(";\n"));
  return { id, word, ids };
}

/** The tables of workspaces that product code may see, without partitions. */
export async function tablesOf(owner: Client): Promise<string[]> {
  const { rows } = await owner.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
       AND has_table_privilege('kb_tenant', oid, 'SELECT') ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}

/** Every row of a workspace, as text, and its waiting jobs. */
export async function snapshot(owner: Client, workspaceId: string): Promise<string> {
  const parts = (await tablesOf(owner)).map(
    (table) =>
      `(SELECT coalesce(string_agg(t::text, chr(10) ORDER BY t::text), 'nothing in ${table}') FROM ${table} t
        WHERE ${table === "workspaces" ? "id" : "workspace_id"} = $1)`,
  );
  parts.push(
    // Jobs with a key are recurring: the server adds them at any time.
    `(SELECT string_agg(id::text, chr(10) ORDER BY id) FROM graphile_worker._private_jobs
      WHERE payload->>'workspace_id' = $1::text AND key IS NULL)`,
  );
  const { rows } = await owner.query<{ rows: string }>(`SELECT concat_ws(chr(10), ${parts.join()}) AS rows`, [
    workspaceId,
  ]);
  return rows[0]?.rows ?? "";
}

/** Removes one protection. Returns the SQL that restores it. */
export type Lock = (owner: Client) => Promise<string>;

const lock =
  (remove: string, restore: string): Lock =>
  async (owner) => {
    await owner.query(remove);
    return restore;
  };

export const rowSecurity = (table: string): Lock =>
  lock(`ALTER TABLE ${table} DISABLE ROW LEVEL SECURITY`, `ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`);

/** The part of a policy that checks new values of rows. */
export const writtenRows = (table: string): Lock =>
  lock(
    `ALTER POLICY wall ON ${table} WITH CHECK (true)`,
    `ALTER POLICY wall ON ${table} WITH CHECK (workspace_id = current_setting('app.workspace_id')::uuid)`,
  );

/** The grant that protects a column from any change. Empty where product code may change it. */
export const missingGrant =
  (table: string, column: string): Lock =>
  async (owner) => {
    const sql = "SELECT FROM pg_roles WHERE rolname = 'kb_tenant' AND has_column_privilege(oid, $1, $2, 'UPDATE')";
    const { rowCount } = await owner.query(sql, [table, column]);
    if (rowCount) return "";
    return lock(`GRANT UPDATE ON ${table} TO kb_tenant`, `REVOKE UPDATE ON ${table} FROM kb_tenant`)(owner);
  };

/** The references of product tables that include the workspace: constraint, table, column, target. */
export async function compositeKeys(
  owner: Client,
): Promise<{ constraint: string; table: string; column: string; parent: string }[]> {
  const { rows } = await owner.query<{ constraint: string; table: string; column: string; parent: string }>(
    `SELECT k.conname AS constraint, k.conrelid::regclass::text AS table, a.attname AS column, k.confrelid::regclass::text AS parent
     FROM pg_constraint k JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = k.conkey[2]
     WHERE k.contype = 'f' AND k.conparentid = 0 AND cardinality(k.conkey) = 2 ORDER BY 1`,
  );
  return rows;
}

/** Replaces a reference that includes the workspace with one that checks the id alone. */
export const workspaceInKey =
  (constraint: string): Lock =>
  async (owner) => {
    const key = (await compositeKeys(owner)).find((candidate) => candidate.constraint === constraint);
    if (!key) throw new Error(`There is no composite key ${constraint}.`);
    const { table, column, parent } = key;
    const { rows } = await owner.query<{ definition: string; partitioned: boolean }>(
      `SELECT pg_get_constraintdef(k.oid) AS definition, c.relkind = 'p' AS partitioned
       FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid WHERE k.conname = $1 AND k.conparentid = 0`,
      [constraint],
    );
    await owner.query(
      `ALTER TABLE ${table} DROP CONSTRAINT ${constraint};
       CREATE UNIQUE INDEX loose_${constraint} ON ${parent} (id);
       ALTER TABLE ${table} ADD CONSTRAINT ${constraint} FOREIGN KEY (${column}) REFERENCES ${parent} (id)`,
    );
    // Existing rows may violate the restored key. A partitioned table does not support NOT VALID keys.
    const restored = rows[0]?.partitioned
      ? `DELETE FROM ${table}; SET CONSTRAINTS ALL IMMEDIATE; ALTER TABLE ${table} ADD CONSTRAINT ${constraint} ${rows[0].definition}`
      : `ALTER TABLE ${table} ADD CONSTRAINT ${constraint} ${rows[0]?.definition} NOT VALID`;
    return `ALTER TABLE ${table} DROP CONSTRAINT ${constraint}; DROP INDEX loose_${constraint}; ${restored}`;
  };

/** A function that bypasses row security, without its own restriction. */
const withoutIn =
  (name: string, what: RegExp, instead: string): Lock =>
  async (owner) => {
    const { rows } = await owner.query<{ definition: string }>(
      "SELECT pg_get_functiondef(oid) AS definition FROM pg_proc WHERE proname = $1",
      [name],
    );
    const restore = rows[0]?.definition ?? "";
    const open = restore.replaceAll(what, instead);
    if (open === restore) throw new Error(`${name} has nothing of the kind to take away.`);
    await owner.query(open);
    return restore;
  };

export const filterOf = (name: string): Lock => withoutIn(name, /\bd\.workspace_id = workspace AND /g, "");

/** Replaces the workspace of a new job with the one in the job's payload. */
export const workspaceOfJobs: Lock = withoutIn(
  "enqueue_job",
  /'workspace_id', workspace,/g,
  "'workspace_id', payload->>'workspace_id',",
);
