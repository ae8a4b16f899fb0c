import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aDatabase, type TestDatabase, testServers } from "@/testing/workspace";

interface Table {
  /** Column name to type, nullability and default, as PostgreSQL writes them. */
  columns: Record<string, string>;
  primaryKey: string[];
  /** Index or constraint name to columns, a descending one with DESC. */
  uniques: Record<string, string[]>;
  indexes: Record<string, string[]>;
  foreignKeys: Record<string, string>;
}

const types: Record<string, string> = {
  String: "text",
  Boolean: "boolean",
  Int: "integer",
  BigInt: "bigint",
  Bytes: "bytea",
  Json: "jsonb",
  "@db.SmallInt": "smallint",
  "@db.Uuid": "uuid",
  "@db.VarBit": "bit varying",
  "@db.Date": "date",
  "@db.Timestamptz(3)": "timestamp(3) with time zone",
  'Unsupported("tsvector")': "tsvector",
};

/** The tables of schema.prisma. Understands only what the file uses, as `prisma format` writes it. */
function tablesOfSchema(text: string): Record<string, Table> {
  const models = [...text.matchAll(/^model (\w+) {\n([^]*?)^}/gm)].map(([, name = "", body = ""]) => ({
    name,
    lines: body.split("\n").map((line) => line.trim()),
    table: /@@map\("(\w+)"\)/.exec(body)?.[1] ?? name,
  }));
  const columnOf = (model: string, field: string) => {
    const line = models
      .find(({ name }) => name === model)
      ?.lines.find((candidate) => candidate.startsWith(`${field} `));
    if (!line) throw new Error(`${model} has no field ${field}.`);
    return /@map\("(\w+)"\)/.exec(line)?.[1] ?? field;
  };
  const columnsIn = (model: string, list = "") =>
    list.split(", ").map((item) => {
      const field = item.replace("(sort: Desc)", "");
      return columnOf(model, field) + (field === item ? "" : " DESC");
    });

  return Object.fromEntries(
    models.map(({ name, lines, table }) => {
      const result: Table = { columns: {}, primaryKey: [], uniques: {}, indexes: {}, foreignKeys: {} };
      for (const line of lines) {
        const named = /^@@(id|unique|index)\(\[(.*?)\](?:, map: "(\w+)")?\)$/.exec(line);
        if (named?.[1] === "id") result.primaryKey = columnsIn(name, named[2]);
        else if (named)
          result[named[1] === "unique" ? "uniques" : "indexes"][named[3] ?? line] = columnsIn(name, named[2]);
        const field = /^(\w+)\s+([^\s[?]+)(\[\])?(\?)?(.*)$/.exec(line);
        if (!field || line.startsWith("@@") || line.startsWith("//")) continue;
        const [, fieldName = "", base = "", list = "", optional, rest = ""] = field;
        const relation =
          /fields: \[(.*?)\], references: \[(.*?)\], onDelete: (\w+), onUpdate: NoAction, map: "(\w+)"/.exec(rest);
        if (relation) {
          const target = models.find((model) => model.name === base);
          result.foreignKeys[relation[4] ?? ""] =
            `(${columnsIn(name, relation[1]).join(", ")}) → ${target?.table} (${columnsIn(base, relation[2]).join(", ")})` +
            (relation[3] === "Cascade" ? " on delete cascade" : "");
        }
        const type = types[/@db\.\w+(\(\d\))?/.exec(rest)?.[0] ?? base];
        if (!type) continue;
        if (/@id\b/.test(rest)) result.primaryKey = [columnOf(name, fieldName)];
        result.columns[columnOf(name, fieldName)] =
          `${type}${list}${optional ? "" : " not null"}${defaultOf(rest, type + list)}`;
      }
      return [table, result];
    }),
  );
}

/** A field's default in PostgreSQL's words. */
function defaultOf(attributes: string, type: string): string {
  const match = /@default\((?:dbgenerated\("(.*?)"\)|(now\(\))|(\[\])|"(.*?)"|(\w+))\)/.exec(attributes);
  if (!match) return "";
  const [, expression, now, empty, text, word] = match;
  return ` default ${expression ?? now ?? word ?? (empty ? `'{}'::${type}` : `'${text}'::${type}`)}`;
}

/** The tables of the database, without partitions and the migration program's own. */
async function tablesOfDatabase(database: Client): Promise<Record<string, Table>> {
  const { rows } = await database.query<{ name: string; table: Table }>(`
    WITH tables AS (
      SELECT oid, relname FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition AND relname NOT IN ('_prisma_migrations', '_applied_functions')
    ), indexes AS (
      SELECT i.indrelid, i.indisunique, i.indisprimary, c.relname, ARRAY(
          SELECT a.attname || CASE WHEN i.indoption[place] & 1 = 1 THEN ' DESC' ELSE '' END
          FROM generate_series(0, i.indnkeyatts - 1) place
          JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[place] ORDER BY place) AS columns
      FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am m ON m.oid = c.relam
      WHERE m.amname = 'btree' AND i.indpred IS NULL AND i.indexprs IS NULL
    )
    SELECT t.relname AS name, json_build_object(
      'columns', (SELECT json_object_agg(a.attname, format_type(a.atttypid, a.atttypmod)
          || CASE WHEN a.attnotnull THEN ' not null' ELSE '' END
          || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), ''))
        FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
        WHERE a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped),
      'primaryKey', coalesce((SELECT columns FROM indexes i WHERE i.indrelid = t.oid AND i.indisprimary), '{}'),
      'uniques', (SELECT coalesce(json_object_agg(i.relname, i.columns), '{}') FROM indexes i
        WHERE i.indrelid = t.oid AND i.indisunique AND NOT i.indisprimary),
      'indexes', (SELECT coalesce(json_object_agg(i.relname, i.columns), '{}') FROM indexes i
        WHERE i.indrelid = t.oid AND NOT i.indisunique),
      'foreignKeys', (SELECT coalesce(json_object_agg(c.conname, format('(%s) → %s (%s)%s',
          (SELECT string_agg(a.attname, ', ' ORDER BY place) FROM unnest(c.conkey) WITH ORDINALITY k (number, place)
           JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.number),
          c.confrelid::regclass,
          (SELECT string_agg(a.attname, ', ' ORDER BY place) FROM unnest(c.confkey) WITH ORDINALITY k (number, place)
           JOIN pg_attribute a ON a.attrelid = c.confrelid AND a.attnum = k.number),
          CASE c.confdeltype WHEN 'c' THEN ' on delete cascade' ELSE '' END)), '{}')
        FROM pg_constraint c WHERE c.conrelid = t.oid AND c.contype = 'f' AND c.conparentid = 0)
    ) AS table FROM tables t`);
  return Object.fromEntries(rows.map(({ name, table }) => [name, table]));
}

/** Objects of the database that schema.prisma cannot express. */
const beyondPrisma = {
  indexes: [
    "article_changes_deleted_idx",
    "article_links_snippet_idx",
    "article_links_target_idx",
    "articles_external_id_key",
    "articles_newest_idx",
    "articles_popular_idx",
    "articles_publish_at_idx",
    "articles_source_path_key",
    "audit_entries_forget_idx",
    "categories_source_path_key",
    "invitations_open_key",
    "redirects_article_id_idx",
    "redirects_category_id_idx",
    "search_documents_letter_idx",
    "search_documents_newest_idx",
    "search_documents_words_idx",
    "transfers_one_key",
    "webhook_deliveries_due_at_idx",
    "webhook_deliveries_late_idx",
  ],
  functions: [
    ...["begin_content_version", "categories_check_place", "change_content_version", "enqueue_job"],
    ...[
      "is_open",
      "keep_subdomain",
      "note_article_changes",
      "note_articles",
      "note_articles_below",
      "note_deleted_articles",
      "note_renamed_tag",
      "number_article_changes",
      "public_articles",
    ],
    ...["search_counts", "search_filter", "search_newest", "search_rank", "search_some"],
  ],
  collations: [
    "article_links.target C",
    "articles.title und-x-icu",
    "categories.name und-x-icu",
    "search_words.backwards C",
    "search_words.word C",
    "snippets.name C",
  ],
  checks: `api_keys_last_four_check api_keys_name_check api_keys_scopes_check article_attachments_check
    article_links_check article_links_kind_check article_tags_check article_versions_created_via_check article_versions_kind_check article_view_months_month_check
    article_view_months_views_check articles_external_id_check articles_permalink_check articles_slug_check articles_state_check articles_title_check audit_entries_actor_kind_check bulk_actions_action_check bulk_actions_state_check
    categories_check
    categories_name_check categories_slug_check categories_visibility_check feedback_choice_check feedback_reason_check idempotency_keys_key_check identity_providers_client_id_check
    identity_providers_issuer_check identity_providers_name_check invitations_email_check
    member_tokens_purpose_check members_email_check members_first_name_check members_last_name_check passkeys_counter_check passkeys_credential_id_check passkeys_name_check passkeys_public_key_check passkeys_transports_check redirects_check
    redirects_from_path_check redirects_kind_check related_articles_check related_articles_check1 roles_name_check
    roles_permissions_check search_pins_term_check searches_term_check snippets_html_check snippets_name_check synonyms_replacements_check synonyms_term_check tags_name_check
    transfers_byte_size_check transfers_filename_check transfers_kind_check transfers_state_check trash_kind_check
    uploads_byte_size_check uploads_filename_check webhook_deliveries_state_check webhook_endpoints_description_check
    webhook_endpoints_events_check webhook_endpoints_off_because_check webhook_endpoints_url_check workspaces_accent_color_check workspaces_audit_days_check workspaces_audit_ip_days_check workspaces_contact_check
    workspaces_header_links_check workspaces_home_headline_check workspaces_home_text_check workspaces_name_check
    workspaces_subdomain_check workspaces_two_step_rule_check workspaces_visibility_check`.split(/\s+/),
  triggers: `article_attachments.add_content_version article_attachments.add_draft_version
    article_attachments.change_content_version article_attachments.change_draft_version
    article_attachments.remove_content_version article_attachments.remove_draft_version
    article_changes.number_article_changes article_drafts.add_draft_version article_drafts.change_draft_version
    article_drafts.note_added article_drafts.note_changed article_drafts.remove_draft_version
    article_live.change_content_version article_live.note_added article_live.note_changed
    article_tags.add_content_version article_tags.add_draft_version article_tags.change_content_version
    article_tags.change_draft_version article_tags.note_added article_tags.note_changed article_tags.note_removed
    article_tags.remove_content_version article_tags.remove_draft_version articles.add_content_version
    articles.add_draft_version articles.change_content_version articles.change_draft_version articles.note_added
    articles.note_changed articles.note_removed articles.remove_content_version articles.remove_draft_version
    categories.categories_check_place categories.change_content_version categories.note_articles_below
    members.change_content_version members.change_draft_version redirects.change_content_version
    related_articles.add_content_version related_articles.add_draft_version related_articles.change_content_version
    related_articles.change_draft_version related_articles.remove_content_version
    related_articles.remove_draft_version search_documents.add_content_version
    search_documents.change_content_version search_documents.remove_content_version
    search_pins.change_content_version synonyms.change_content_version tags.change_content_version tags.note_renamed
    uploads.change_content_version workspaces.begin_content_version workspaces.change_content_version
    workspaces.keep_subdomain workspaces.note_articles_below`.split(/\s+/),
  views: [],
};

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

  test("schema.prisma says what the migrations make", async () => {
    const schema = await readFile(join(import.meta.dirname, "schema.prisma"), "utf8");
    const tables = await tablesOfDatabase(database);
    expect(Object.keys(tables).length).toBeGreaterThan(20);
    expect(tablesOfSchema(schema)).toEqual(tables);
  });

  test("what Prisma has no words for is named here", async () => {
    const { rows } = await database.query(`
      SELECT
        ARRAY(SELECT c.relname::text FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am m ON m.oid = c.relam
          WHERE c.relnamespace = s.oid AND NOT c.relispartition
            AND (m.amname <> 'btree' OR i.indpred IS NOT NULL OR i.indexprs IS NOT NULL) ORDER BY 1) AS indexes,
        ARRAY(SELECT proname::text FROM pg_proc WHERE pronamespace = s.oid ORDER BY 1) AS functions,
        ARRAY(SELECT c.relname || '.' || a.attname || ' ' || l.collname
          FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_collation l ON l.oid = a.attcollation
          WHERE c.relnamespace = s.oid AND c.relkind IN ('r', 'p') AND l.collname <> 'default' ORDER BY 1) AS collations,
        ARRAY(SELECT conname::text FROM pg_constraint WHERE connamespace = s.oid AND contype = 'c' ORDER BY conname COLLATE "C") AS checks,
        ARRAY(SELECT tgrelid::regclass || '.' || tgname FROM pg_trigger
          WHERE NOT tgisinternal AND tgparentid = 0 ORDER BY 1) AS triggers,
        ARRAY(SELECT relname::text FROM pg_class WHERE relnamespace = s.oid AND relkind IN ('v', 'm') ORDER BY 1) AS views
      FROM pg_namespace s WHERE s.nspname = 'public'`);
    expect(rows).toEqual([beyondPrisma]);
  });
});
