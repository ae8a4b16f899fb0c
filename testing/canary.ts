import type { Client } from "pg";
import { MARKS, tagOf } from "@/lib/search/lexemes";
import { wordsOf } from "@/lib/search/words";
import { type Planted, plant } from "@/testing/wall";

// A workspace with a marker word in every text. If the word appears anywhere, something of this workspace leaked.

/**
 * Text columns whose values a CHECK limits to fixed words, or whose readers need another form. `formed` has columns with
 * their own form.
 */
const closed = [
  "api_keys.last_four",
  "api_keys.scopes",
  "article_links.kind",
  "article_versions.created_via",
  "article_versions.kind",
  "articles.permalink",
  "articles.state",
  "audit_entries.actor_kind",
  "bulk_actions.action",
  "bulk_actions.state",
  "categories.visibility",
  "feedback.choice",
  "members.time_zone",
  "member_tokens.purpose",
  "redirects.kind",
  "roles.permissions",
  "transfers.kind",
  "transfers.state",
  "trash.kind",
  "webhook_deliveries.state",
  "webhook_endpoints.off_because",
  "workspaces.accent_color",
  "workspaces.time_zone",
  "workspaces.two_step_rule",
  "workspaces.visibility",
];

/** SQL that turns a text with the word into one in the column's required form. */
const formed: Record<string, (text: string) => string> = {
  "article_drafts.headings": heading,
  "article_live.headings": heading,
  "invitations.email": address,
  "members.email": address,
  "identity_providers.issuer": (text) => `'https://example.com/' || ${text}`,
  "redirects.from_path": (text) => `'/' || ${text}`,
  "redirects.url": (text) => `CASE kind WHEN 'url' THEN 'https://example.com/' || ${text} END`,
  "webhook_endpoints.url": (text) => `'https://example.com/' || ${text}`,
  "workspaces.contact": address,
  "workspaces.header_links": (text) =>
    `jsonb_build_array(jsonb_build_object('label', ${text}, 'url', 'https://example.com/' || ${text}))`,
  // Requests name the workspace by its subdomain, so the subdomain is the word alone, exactly as planted.
  "workspaces.subdomain": () => "subdomain",
};

function heading(text: string): string {
  return `jsonb_build_array(jsonb_build_object('level', 2, 'id', ${text}, 'text', ${text}))`;
}

function address(text: string): string {
  return `${text} || '@example.com'`;
}

interface Column {
  table: string;
  /** The column that identifies the row's workspace. */
  owner: string;
  name: string;
  type: string;
  generated: boolean;
}

/** Every column that can hold text, of every table with rows of workspaces. New columns are included automatically. */
async function textColumns(owner: Client): Promise<Column[]> {
  const { rows } = await owner.query<Column>(
    `SELECT c.relname AS table, CASE c.relname WHEN 'workspaces' THEN 'id' ELSE 'workspace_id' END AS owner,
       a.attname AS name, t.typname AS type, a.attgenerated <> '' AS generated
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
     JOIN pg_type t ON t.oid = a.atttypid LEFT JOIN pg_type e ON e.oid = t.typelem AND t.typcategory = 'A'
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND (c.relname = 'workspaces'
         OR EXISTS (SELECT FROM pg_attribute w WHERE w.attrelid = c.oid AND w.attname = 'workspace_id'))
       AND ('S' IN (t.typcategory, e.typcategory) OR t.typname IN ('json', 'jsonb', 'tsvector', 'xml'))
     ORDER BY 1, a.attnum`,
  );
  return rows;
}

/** SQL of a value with the word and the names of table and column, which identify a leak. */
function marked({ table, name, type }: Column, { id, word }: Planted): string {
  const text = `'${word}-${`${table}-${name}`.replaceAll("_", "-")}-' || left(md5(t::text), 8)`;
  const form = formed[`${table}.${name}`];
  if (form) return form(text);
  if (type.startsWith("_")) return `ARRAY[${text}]`;
  if (type.startsWith("json")) return `jsonb_build_object('canary', ${text})`;
  // Once whole, and once split into search words.
  if (type === "tsvector")
    return `$$'${word}' ${wordsOf(word)
      .map((part, at) => `'${tagOf(id)}${MARKS.content}${part}':${at + 1}A`)
      .join(" ")}$$::tsvector`;
  return text;
}

/** Creates a workspace with the word in every text column, and checks that it is there. */
export async function plantCanary(owner: Client): Promise<Planted> {
  const planted = await plant(owner);
  const { id, word } = planted;
  await owner.query(
    `INSERT INTO redirects (workspace_id, from_path, kind, url) VALUES ('${id}', '/${word}/away', 'url', 'https://example.com');
     INSERT INTO former_subdomains (workspace_id, subdomain) VALUES ('${id}', 'former-${word}')`,
  );
  const columns = await textColumns(owner);
  // One column contains the word reversed.
  const without = [...closed, "search_words.backwards"];
  const open = columns.filter((column) => !without.includes(`${column.table}.${column.name}`));
  for (const table of new Set(open.map((column) => column.table))) {
    const own = open.filter((column) => column.table === table && !column.generated);
    const changes = own.map((column) => `${column.name} = ${marked(column, planted)}`);
    await owner.query(`UPDATE ${table} t SET ${changes.join()} WHERE ${own[0]?.owner} = $1`, [id]);
  }
  const missing = await columnsWithout(owner, open, planted);
  if (missing.length > 0) throw new Error(`The word is not in ${missing.join()}: plant a row that can hold it.`);
  return planted;
}

async function columnsWithout(owner: Client, columns: Column[], { id, word }: Planted): Promise<string[]> {
  const without: string[] = [];
  for (const { table, name, owner: whose } of columns) {
    const sql = `SELECT FROM ${table} WHERE ${whose} = $1 AND ${name}::text LIKE $2 LIMIT 1`;
    const { rowCount } = await owner.query(sql, [id, `%${word}%`]);
    if (rowCount === 0) without.push(`${table}.${name}`);
  }
  return without;
}

/** The text columns that cannot hold the word because of a CHECK. */
export async function columnsThatRefuse(
  owner: Client,
  planted: Planted,
): Promise<{ refuse: string[]; closed: string[] }> {
  const refuse: string[] = [];
  for (const column of await textColumns(owner)) {
    const { table, name } = column;
    if (column.generated) continue;
    await owner.query("BEGIN");
    await owner
      .query(`UPDATE ${table} t SET ${name} = ${marked(column, planted)} WHERE ${column.owner} = $1`, [planted.id])
      .catch((error: { code?: string }) => {
        if (error.code !== "23514") throw error;
        refuse.push(`${table}.${name}`);
      });
    await owner.query("ROLLBACK");
  }
  return { refuse, closed };
}
