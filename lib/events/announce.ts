import { type Db, readingOf } from "@/lib/db";
import { env } from "@/lib/env";
import { auditEvent, type WebhookEvent } from "@/lib/events/events";
import { workspaceUrl } from "@/lib/http/host";
import { enqueue } from "@/lib/jobs";

type Details = Record<string, unknown>;

interface Change {
  subject: { kind: string; id: string };
  details: Details;
}

/** The actor of lib/audit/audit.ts, or a reader. */
interface By {
  kind: string;
  id: string | null;
}

type Happened = (details: Details, data: Details) => WebhookEvent[];
const always =
  (event: WebhookEvent): Happened =>
  () => [event];

/** The events of actions in the audit log, and of two that are not in it. Actions that are not listed only send the entry. */
const happened: Record<string, Happened> = {
  "article.created": always("article.created"),
  "article.published": always("article.published"),
  "article.unpublished": always("article.unpublished"),
  "article.updated": ({ category, ...others }) => [
    ...(category === undefined ? [] : (["article.moved"] as const)),
    ...(Object.keys(others).length === 0 ? [] : (["article.updated"] as const)),
  ],
  "article.tagged": always("article.updated"),
  "article.undone": ({ action }, { state }) => {
    if (action === "moved") return ["article.moved"];
    if (action === "unpublished") return ["article.published"];
    return [action === "published" && state === "draft" ? "article.unpublished" : "article.updated"];
  },
  "article.deleted": always("article.deleted"),
  "article.restored": always("article.restored"),
  "category.created": always("category.created"),
  "category.updated": always("category.updated"),
  "category.articles_ordered": always("category.updated"),
  "category.moved": always("category.moved"),
  "category.merged": always("category.merged"),
  "category.deleted": always("category.deleted"),
  "category.restored": always("category.restored"),
  "invitation.sent": always("member.invited"),
  "member.created": always("member.joined"),
  "member.updated": ({ active }) => [active === "true → false" ? "member.deactivated" : "member.updated"],
  "feedback.received": always("feedback.received"),
  "import.finished": always("import.finished"),
};

/**
 * Stores the webhooks of changes in their transaction, for the active endpoints that chose these events.
 * @param action as in the audit log
 * @param entryIds new entries of the audit log
 */
export async function announce(
  db: Db,
  by: By,
  action: string,
  changes: readonly Change[],
  entryIds: readonly string[] = [],
): Promise<void> {
  const eventsOf = changes.length > 0 ? happened[action] : undefined;
  if (!eventsOf && entryIds.length === 0) return;
  const endpoints = await readingOf(db)<{ id: string; events: string[] }>(
    "SELECT id::text, events FROM webhook_endpoints WHERE active",
  );
  if (endpoints.length === 0) return;
  const timestamp = new Date().toISOString();
  const deliveriesOf = (event: WebhookEvent, data: Details) => {
    const to = endpoints.filter(({ events }) => events.includes(event));
    if (to.length === 0) return [];
    const body = JSON.stringify({ type: event, timestamp, data });
    return to.map(({ id }) => ({ endpoint_id: id, event, body }));
  };
  const deliveries: ReturnType<typeof deliveriesOf> = [];
  if (entryIds.length > 0 && endpoints.some(({ events }) => events.includes(auditEvent)))
    for (const entry of await entriesOf(db, entryIds)) deliveries.push(...deliveriesOf(auditEvent, entry));
  if (eventsOf) {
    const dataOf = await describe(db, changes);
    const actor = { kind: by.kind, id: by.id };
    for (const change of changes) {
      const data = dataOf(change);
      for (const event of eventsOf(change.details, data)) deliveries.push(...deliveriesOf(event, { ...data, actor }));
    }
  }
  if (deliveries.length > 0) await storeDeliveries(db, deliveries);
}

/** Entries of the audit log in the shape of the API (app/api/external/v2/_shapes/audit-entry.ts). */
function entriesOf(db: Db, ids: readonly string[]): Promise<Details[]> {
  return readingOf(db)<Details>(
    `SELECT id::text, created_at, action, json_build_object('kind', actor_kind, 'id', actor_id, 'name', actor_name) AS actor,
       json_build_object('kind', subject_kind, 'id', subject_id, 'name', subject_name) AS subject, details, ip, request_id
     FROM audit_entries WHERE id = ANY($1::uuid[]) ORDER BY array_position($1::uuid[], id)`,
    [ids],
  );
}

/**
 * Stores deliveries, to be sent as soon as the transaction commits. An endpoint that is deleted meanwhile gets none.
 * @returns their ids
 */
export async function storeDeliveries(
  db: Db,
  deliveries: readonly { endpoint_id: string; event: string; body: string }[],
): Promise<string[]> {
  const stored = await db.$queryRaw<{ id: string }[]>`
    INSERT INTO webhook_deliveries (endpoint_id, event, body)
    SELECT g.endpoint_id, g.event, g.body
    FROM jsonb_to_recordset(${JSON.stringify(deliveries)}::jsonb) AS g(endpoint_id uuid, event text, body text)
    JOIN webhook_endpoints e ON e.id = g.endpoint_id FOR KEY SHARE OF e
    RETURNING id::text`;
  await enqueue(db, "webhooks_stored", {});
  return stored.map(({ id }) => id);
}

/** The data of events: ids, URLs and states. Receivers read everything else from the API. */
async function describe(db: Db, changes: readonly Change[]): Promise<(change: Change) => Details> {
  const read = readingOf(db);
  const [workspace] = await read<{ subdomain: string }>("SELECT subdomain FROM workspaces");
  const home = workspaceUrl(workspace?.subdomain ?? "", env().baseUrl);
  const api = (path: string) => `${home}/api/external/v2${path}`;
  const idsOf = (kind: string) => changes.flatMap(({ subject }) => (subject.kind === kind ? subject.id : []));
  const rowsOf = async (kind: string, sql: string) => {
    const ids = idsOf(kind);
    const rows = ids.length === 0 ? [] : await read<Details & { id: string }>(sql, [ids]);
    return new Map(rows.map((row) => [row.id, row]));
  };
  const articles = await rowsOf(
    "article",
    "SELECT id::text, slug, state, category_id::text FROM articles WHERE id = ANY($1::uuid[])",
  );
  const categories = await rowsOf(
    "category",
    "SELECT id::text, slug, parent_id::text, visibility FROM categories WHERE id = ANY($1::uuid[])",
  );
  const members = await rowsOf(
    "member",
    `SELECT id::text, CASE WHEN active THEN 'active' ELSE 'deactivated' END AS state FROM members WHERE id = ANY($1::uuid[])`,
  );
  const invitations = await rowsOf("invitation", "SELECT id::text, email FROM invitations WHERE id = ANY($1::uuid[])");
  const movedTo = await rowsOf(
    "category",
    `SELECT g.id::text, r.category_id::text AS "to" FROM unnest($1::uuid[]) AS g(id)
     JOIN trash t ON t.id = g.id AND t.kind = 'category'
     JOIN redirects r ON r.kind = 'category' AND r.from_path = '/categories/' || (t.rows->'categories'->0->>'slug')`,
  );
  return ({ subject: { kind, id }, details }) => {
    const former = typeof details.slug === "string" ? details.slug : null;
    switch (kind) {
      case "article": {
        const { slug = former, state = "deleted", category_id = null } = articles.get(id) ?? ({} as Details);
        const url = slug === null ? null : `${home}/articles/${slug as string}`;
        return { id, slug, url, state, category_id, api_url: api(`/articles/${id}`) };
      }
      case "category": {
        const row = categories.get(id);
        const { slug = former, parent_id = null, visibility = null } = row ?? ({} as Details);
        const url = slug === null ? null : `${home}/categories/${slug as string}`;
        const place = row
          ? { parent_id, visibility_setting: visibility }
          : { contents_moved_to: movedTo.get(id)?.to ?? null };
        return { id, slug, url, state: row ? "active" : "deleted", ...place, api_url: api(`/categories/${id}`) };
      }
      case "member":
        return { ...members.get(id), id, api_url: api(`/team-members/${id}`) };
      case "invitation":
        return {
          ...{ id, email: invitations.get(id)?.email ?? null, state: "invited" },
          api_url: api(`/invitations/${id}`),
        };
      case "feedback": {
        const { article_id, slug, helpful, choice, reason } = details;
        const url = `${home}/articles/${String(slug)}`;
        return { id, article_id, url, helpful, choice, reason, api_url: api(`/articles/${String(article_id)}`) };
      }
      default: {
        const { created, updated, unchanged, categories: changed } = details;
        const counts = { created, updated, unchanged, categories: changed };
        return { state: "finished", ...counts, url: `${home}/`, api_url: api("/articles") };
      }
    }
  };
}
