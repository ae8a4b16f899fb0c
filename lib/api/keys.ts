import { hashOfKey, isKeyText } from "@/lib/api-keys/key-format";
import type { Scope } from "@/lib/api-keys/scopes";
import { COUNTED, countedLimit, NOW_MS } from "@/lib/counters";
import { acrossWorkspaces, inTurns } from "@/lib/db";
import { logSecurity } from "@/lib/log";
import { HttpError, unauthorized } from "./errors";
import { countRefusedKey, type LimitedName, limited, type NamedUse } from "./rate-limit";

export interface ApiWorkspace {
  id: string;
  name: string;
  subdomain: string;
}

export interface ApiKey {
  id: string;
  name: string;
  lastFour: string;
  scopes: Scope[];
  createdAt: Date;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
}

/** The door's findings about a request. */
export interface Entered {
  workspace: ApiWorkspace;
  /** Versions of the content that visitors see, and of what only members see (prisma/functions/change_content_version.sql). */
  versions: { content: string; drafts: string };
  /** Null without a valid key. */
  key: (ApiKey & { isNoteDue: boolean }) | null;
  /** The request's use of each limit. Empty without a valid key, because such requests are not counted (contract 55). */
  uses: NamedUse[];
}

interface Question {
  subdomain: string;
  hash: Buffer | null;
  limits: readonly LimitedName[];
}

/** Former subdomains work too (contract 22): programs would not follow a redirect, or would send their key along. */
const checkAll = `
  WITH asked AS (
    SELECT * FROM unnest($1::text[], $2::bytea[], $3::int[], $4::int[], $5::int[])
      WITH ORDINALITY a (subdomain, hash, key_uses, search_uses, write_uses, place)
  ), found AS MATERIALIZED (
    SELECT a.place, a.key_uses, a.search_uses, a.write_uses, w.*, v.version, v.drafts, k.*
    FROM asked a
    CROSS JOIN LATERAL (
      SELECT id, name, subdomain FROM workspaces WHERE subdomain = a.subdomain AND delete_after IS NULL
      UNION ALL
      SELECT f.id, f.name, f.subdomain FROM former_subdomains o JOIN workspaces f ON f.id = o.workspace_id
      WHERE o.subdomain = a.subdomain AND f.delete_after IS NULL
      LIMIT 1
    ) w
    JOIN content_versions v ON v.workspace_id = w.id
    LEFT JOIN LATERAL (
      SELECT id AS key_id, name AS key_name, last_four, scopes, created_at, expires_at, last_used_at, ${isNoteDue()} AS is_note_due
      FROM api_keys WHERE workspace_id = w.id AND key_hash = a.hash AND revoked_at IS NULL
        AND (expires_at IS NULL OR expires_at > now()) LIMIT 1
    ) k ON true
  ), counted AS (
    INSERT INTO rate_limits AS r (key, points, expire)
    SELECT u.key, sum(u.uses), ${NOW_MS} + max(u.ms)
    FROM found f CROSS JOIN LATERAL (
      VALUES ${limited.map((name, index) => `($${6 + 2 * index} || f.key_id, f.${name}_uses, $${7 + 2 * index}::bigint)`).join(", ")}) u (key, uses, ms)
    WHERE u.uses > 0 AND f.key_id IS NOT NULL
    -- In one order so that servers do not deadlock.
    GROUP BY u.key ORDER BY u.key
    ON CONFLICT (key) DO UPDATE SET ${COUNTED}
    RETURNING key, points, expire - ${NOW_MS} AS ms
  )
  SELECT f.place::int, f.id, f.name, f.subdomain, f.version, f.drafts, f.key_id AS "keyId", f.key_name AS "keyName",
    f.last_four AS "lastFour", array_to_string(f.scopes, ' ') AS scopes, f.created_at AS "createdAt", f.expires_at AS "expiresAt",
    f.last_used_at AS "lastUsedAt", f.is_note_due AS "isNoteDue",
    ${limited.map((name) => `${name}.points AS "${name}Points", ${name}.ms::int AS "${name}Ms"`).join(", ")}
  FROM found f
    ${limited.map((name, index) => `LEFT JOIN counted ${name} ON ${name}.key = $${6 + 2 * index} || f.key_id`).join("\n    ")}`;

function isNoteDue(): string {
  return "(last_used_at IS NULL OR last_used_at <= now() - interval '5 minutes')";
}

type Counted = Record<`${LimitedName}Points`, number | null> & Record<`${LimitedName}Ms`, number>;

interface Row extends ApiWorkspace, Omit<ApiKey, "id" | "name" | "scopes">, Counted {
  place: number;
  version: string;
  drafts: string;
  keyId: string | null;
  keyName: string;
  /** Separated by spaces, because parsing an array costs more than parsing the rest of the row. */
  scopes: string;
  isNoteDue: boolean;
}

/** Workspace, key, limits and versions of many requests, in one statement. */
const ask = inTurns<Question, Entered | null>(async (questions) => {
  const limits = { key: countedLimit("key"), search: countedLimit("search"), write: countedLimit("write") };
  const different = new Map<string, Pick<Question, "subdomain" | "hash"> & Record<LimitedName, number>>();
  const nameOf = ({ subdomain, hash }: Question) => `${subdomain} ${hash?.toString("base64")}`;
  for (const question of questions) {
    const { subdomain, hash } = question;
    const name = nameOf(question);
    const known = different.get(name) ?? { subdomain, hash, key: 0, search: 0, write: 0 };
    for (const limit of question.limits) if (limits[limit]) known[limit]++;
    different.set(name, known);
  }
  const [names, all] = [[...different.keys()], [...different.values()]];
  const rows = await acrossWorkspaces.query<Row>(checkAll, [
    all.map(({ subdomain }) => subdomain),
    all.map(({ hash }) => hash),
    ...limited.map((name) => all.map((one) => one[name])),
    ...limited.flatMap((name) => [limits[name]?.prefix ?? "", (limits[name]?.seconds ?? 0) * 1000]),
  ]);
  const found = new Map<string | undefined, Row>();
  // The uses before this turn. Each request takes the next place, in the order of arrival.
  const used = new Map<string, number>();
  for (const row of rows) {
    found.set(names[row.place - 1], row);
    for (const name of limited) {
      const points = row[`${name}Points`];
      if (points === null) continue;
      const slot = `${name} ${row.keyId}`;
      // A key that is used at the current and a former subdomain has a row for each.
      used.set(slot, (used.get(slot) ?? points) - (all[row.place - 1]?.[name] ?? 0));
    }
  }
  const take = (name: LimitedName, row: Row): NamedUse[] => {
    const [limit, slot] = [limits[name], `${name} ${row.keyId}`];
    const before = used.get(slot);
    if (!limit || before === undefined) return [];
    const place = before + 1;
    used.set(slot, place);
    const [left, seconds] = [Math.max(0, limit.points - place), Math.max(1, Math.ceil(row[`${name}Ms`] / 1000))];
    return [{ name, isOver: place > limit.points, limit: limit.points, period: limit.seconds, left, seconds }];
  };
  return questions.map((question) => {
    const row = found.get(nameOf(question));
    return row
      ? enteredOf(
          row,
          (row.keyId === null ? [] : question.limits).flatMap((name) => take(name, row)),
        )
      : null;
  });
});

function enteredOf({ keyId, keyName, lastFour, scopes, ...row }: Row, uses: NamedUse[]): Entered {
  const { id, name, subdomain, version, drafts, createdAt, expiresAt, lastUsedAt, isNoteDue } = row;
  return {
    workspace: { id, name, subdomain },
    versions: { content: version, drafts },
    key:
      keyId === null
        ? null
        : {
            id: keyId,
            name: keyName,
            lastFour,
            scopes: scopes.split(" ") as Scope[],
            createdAt,
            expiresAt,
            lastUsedAt,
            isNoteDue,
          },
    uses,
  };
}

/**
 * Finds the workspace of a host and its key, and counts the request if the key is valid.
 * @param text the key, or undefined where the request needs none
 * @throws HttpError 404 without a workspace (contract 22)
 */
export async function enter(
  subdomain: string | undefined,
  text?: string | null,
  limits: readonly LimitedName[] = [],
): Promise<Entered> {
  const hash = text && isKeyText(text) ? hashOfKey(text) : null;
  const entered = subdomain ? await ask({ subdomain, hash, limits }) : null;
  if (!entered) throw new HttpError("unknown_workspace", "Workspace not found. Check the subdomain in the URL.");
  return entered;
}

interface Origin {
  ip: string | null;
  /** Such as "GET /v2/articles/{article_id}". */
  route: () => string;
}

/** Throws the same 401 for every reason (contract 53), and 429 after too many from one address. */
export async function authenticate({ workspace, key: found }: Entered, { ip, route }: Origin): Promise<ApiKey> {
  if (!found) {
    logSecurity("key.refused", { workspace_id: workspace.id, client: ip, route: route() });
    await countRefusedKey(ip);
    throw unauthorized();
  }
  const { isNoteDue, ...key } = found;
  if (isNoteDue) void noteUse(workspace.id, key.id, { ip, route: route() });
  return key;
}

/** Keys whose use is being noted. Only a few at a time, because a locked table would keep all connections waiting. */
const noting = new Set<string>();
const MOST_NOTING = 4;

/** Notes a key's last use. Requests do not wait for it. If it can't be noted now, a later request notes its own use. */
export async function noteUse(
  workspaceId: string,
  keyId: string,
  { ip, route }: { ip: string | null; route: string },
): Promise<void> {
  if (noting.has(keyId) || noting.size >= MOST_NOTING) return;
  noting.add(keyId);
  await acrossWorkspaces
    .query(
      `UPDATE api_keys SET last_used_at = now(), last_used_ip = $3, last_used_route = $4
       WHERE workspace_id = $1 AND id IN (
         SELECT id FROM api_keys WHERE workspace_id = $1 AND id = $2 AND ${isNoteDue()} FOR NO KEY UPDATE SKIP LOCKED)`,
      [workspaceId, keyId, ip, route],
    )
    .catch(() => {})
    .finally(() => noting.delete(keyId));
}
