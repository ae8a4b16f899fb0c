import { z } from "zod";
import { type Actor, type AuditDetails, findRemoved, recordAudit } from "@/lib/audit";
import { type Db, type Read, readingOf } from "@/lib/db";
import { InvalidError, type InvalidField, NotFoundError } from "@/lib/errors";
import { cleanedFrom, cleanedTo, encodedPath, isOwnPage } from "@/lib/redirects/addresses";
import { searchArticles } from "@/lib/search/search";
import { unlessTaken } from "@/lib/taken";

/** Where an old address leads. */
export type RedirectTarget =
  | { kind: "article"; id: string; title: string; slug: string; published: boolean }
  | { kind: "category"; id: string; name: string; slug: string }
  /** A page of the knowledge base that is neither, as a path; or a page of another site, as a whole address. */
  | { kind: "url"; url: string }
  | { kind: "gone" };

/** An old address of the workspace, and what stands for it now. */
export interface Redirect {
  id: string;
  /** Decoded, without a slash at its end. */
  fromPath: string;
  target: RedirectTarget;
  /** Whether a person made it; else it is there because something moved or was removed. */
  byHand: boolean;
  createdAt: Date;
}

/** What somebody says an old address shall lead to. */
export type GivenTarget =
  | { kind: "article"; id: string }
  | { kind: "category"; id: string }
  /** An address as it was typed: whatever is there, or what is known of it. */
  | { kind: "address"; address: string }
  | { kind: "gone" };

/** Where a redirect leads as a list is filtered by it; "nowhere" is to what readers do not find. */
export const redirectKinds = ["article", "category", "url", "gone", "nowhere"] as const;
export type RedirectKind = (typeof redirectKinds)[number];

const columns = `r.id, r.from_path AS "fromPath", r.by_hand AS "byHand", r.created_at AS "createdAt",
  CASE r.kind
    WHEN 'article' THEN json_build_object('kind', 'article', 'id', a.id, 'title', a.title, 'slug', a.slug, 'published', a.state = 'published')
    WHEN 'category' THEN json_build_object('kind', 'category', 'id', c.id, 'name', c.name, 'slug', c.slug)
    WHEN 'url' THEN json_build_object('kind', 'url', 'url', r.url)
    ELSE json_build_object('kind', 'gone') END AS target`;
const source = `redirects r
  LEFT JOIN articles a ON a.workspace_id = r.workspace_id AND a.id = r.article_id
  LEFT JOIN categories c ON c.workspace_id = r.workspace_id AND c.id = r.category_id`;

/**
 * Redirects, the newest first.
 * @param search only those that have it in their old address, or in the title, name or address they lead to
 * @param byHand only those that a person made, or only the others
 * @returns one page, and the number of all that fit
 */
export async function listRedirects(
  read: Read,
  asked: { search?: string; kind?: RedirectKind; byHand?: boolean; limit: number; offset: number },
): Promise<{ redirects: Redirect[]; total: number }> {
  const values: unknown[] = [];
  const value = (given: unknown) => `$${values.push(given)}`;
  const conditions = [
    asked.search &&
      `strpos(lower(concat_ws(E'\\n', r.from_path, a.title, '/articles/' || a.slug, c.name, '/categories/' || c.slug, r.url)),
         lower(${value(asked.search)})) > 0`,
    asked.kind === "nowhere" && "r.kind = 'article' AND a.state <> 'published'",
    asked.kind && asked.kind !== "nowhere" && `r.kind = ${value(asked.kind)}`,
    asked.byHand !== undefined && `r.by_hand = ${value(asked.byHand)}`,
  ].filter(Boolean);
  const where = conditions.length > 0 ? `WHERE ${conditions.join(" AND ")}` : "";
  const [count] = await read<{ total: number }>(`SELECT count(*)::int AS total FROM ${source} ${where}`, values);
  const redirects = await read<Redirect>(
    `SELECT ${columns} FROM ${source} ${where} ORDER BY r.created_at DESC, r.from_path COLLATE "C"
     LIMIT ${value(asked.limit)} OFFSET ${value(asked.offset)}`,
    values,
  );
  return { redirects, total: count?.total ?? 0 };
}

/** The redirect with this id, or null. */
export async function findRedirect(read: Read, id: string): Promise<Redirect | null> {
  const [redirect] = await read<Redirect>(`SELECT ${columns} FROM ${source} WHERE r.id = $1::uuid`, [id]);
  return redirect ?? null;
}

/** Something that a redirect can lead to. */
export interface PossibleTarget {
  kind: "article" | "category";
  id: string;
  name: string;
  address: string;
}

const MOST_ARTICLES = 8;
const MOST_CATEGORIES = 4;

/**
 * What a redirect can lead to that has the words: published articles as searches find them, and categories by their names.
 * @param text whatever was typed
 */
export async function possibleTargets(read: Read, workspaceId: string, text: string): Promise<PossibleTarget[]> {
  const { matches } = await searchArticles(read, workspaceId, text.slice(0, 200), { limit: MOST_ARTICLES, offset: 0 });
  const categories = await read<{ id: string; name: string; slug: string }>(
    `SELECT id, name, slug FROM categories WHERE $1 <> '' AND strpos(lower(name), lower($1)) > 0
     ORDER BY length(name), name, id LIMIT ${MOST_CATEGORIES}`,
    [text.trim()],
  );
  return [
    ...matches.map(({ id, slug, title }) => ({
      kind: "article" as const,
      id,
      name: title,
      address: `/articles/${slug}`,
    })),
    ...categories.map(({ id, slug, name }) => ({
      kind: "category" as const,
      id,
      name,
      address: `/categories/${slug}`,
    })),
  ];
}

/** The address that a redirect leads to, as readers see it; null when it is gone. */
export function addressOf(target: RedirectTarget): string | null {
  switch (target.kind) {
    case "article":
      return `/articles/${target.slug}`;
    case "category":
      return `/categories/${target.slug}`;
    case "url":
      return target.url;
    case "gone":
      return null;
  }
}

/**
 * Makes an old address lead somewhere. What leads to another old address leads to where that one does: chains are not kept.
 * @param given.from a path, or a whole address of this workspace
 * @param home the workspace's own address, such as `https://docs.example.com`
 * @throws InvalidError for `from`: no path, one with a page or a redirect; for `to`: nothing that readers find, the
 *   address itself, another site without https
 */
export async function addRedirect(
  db: Db,
  given: { from: string; to: GivenTarget },
  home: string,
  actor: Actor,
): Promise<Redirect> {
  const fromPath = await checkedFrom(db, given.from, home);
  const row = await rowOf(db, fromPath, given.to, home);
  const { id } = await unlessTaken(
    () => taken(fromPath),
    () => db.redirect.create({ data: { fromPath, byHand: true, ...row }, select: { id: true } }),
  );
  const redirect = await getRedirect(db, id);
  await recordAudit(db, actor, "redirect.created", subjectOf(redirect), { leads_to: toldOf(redirect) });
  return redirect;
}

/**
 * Makes a redirect lead elsewhere, or be gone; its old address stays. From then on it is one that was made by hand.
 * @throws InvalidError for `to`, as of addRedirect
 * @throws NotFoundError when there is no such redirect
 */
export async function changeRedirect(
  db: Db,
  id: string,
  to: GivenTarget,
  home: string,
  actor: Actor,
): Promise<Redirect> {
  const before = await lockRedirect(db, id);
  if (before.target.kind === "gone" && to.kind === "gone") return before;
  const row = await rowOf(db, before.fromPath, to, home);
  // Where it was decides to whom it may be told that it is gone (lib/published-redirects.ts).
  if (to.kind === "gone") row.categoryId = await categoryOf(db, before.target);
  await db.redirect.updateMany({ where: { id }, data: { ...row, byHand: true } });
  const after = await getRedirect(db, id);
  const details = { leads_to: `${toldOf(before)} → ${toldOf(after)}` };
  if (toldOf(before) !== toldOf(after)) await recordAudit(db, actor, "redirect.updated", subjectOf(after), details);
  return after;
}

/**
 * Removes a redirect: its old address is one that never was.
 * @throws NotFoundError when there is no such redirect
 */
export async function removeRedirect(db: Db, id: string, actor: Actor): Promise<void> {
  const redirect = await lockRedirect(db, id);
  const row = await db.redirect.findFirstOrThrow({ where: { id } });
  await db.redirect.deleteMany({ where: { id } });
  // Enough to bring it back.
  const { kind, articleId, categoryId, url, byHand } = row;
  const kept = { kind, article: articleId, category: categoryId, url, by_hand: byHand };
  const details: AuditDetails = { leads_to: toldOf(redirect) };
  for (const [name, value] of Object.entries(kept)) if (value !== null) details[name] = value;
  await recordAudit(db, actor, "redirect.removed", subjectOf(redirect), details);
}

/** The old address of a redirect that was removed within the last day, or null. */
export async function findRemovedRedirect(read: Read, id: string): Promise<string | null> {
  return (await findRemoved(read, "redirect.removed", id))?.name ?? null;
}

/**
 * Brings back a redirect that was removed within the last day, as it was.
 * @throws InvalidError when its address has a page or a redirect by now, or what it led to is not there any more
 * @throws NotFoundError when it was not
 */
export async function restoreRedirect(db: Db, id: string, home: string, actor: Actor): Promise<Redirect> {
  const removed = await findRemoved(readingOf(db), "redirect.removed", id);
  if (!removed) throw new NotFoundError("No such redirect was removed today.");
  const { kind, article, category, url, by_hand } = removed.details;
  const text = (value: unknown) => (typeof value === "string" ? value : null);
  const fromPath = await checkedFrom(db, encodedPath(removed.name), home);
  if (typeof article === "string" && !(await db.article.findFirst({ where: { id: article } }))) throw noTarget();
  if (typeof category === "string" && !(await db.category.findFirst({ where: { id: category } }))) throw noTarget();
  const row = { kind: String(kind), articleId: text(article), categoryId: text(category), url: text(url) };
  const made = await unlessTaken(
    () => taken(fromPath),
    () => db.redirect.create({ data: { fromPath, byHand: by_hand === true, ...row }, select: { id: true } }),
  );
  const redirect = await getRedirect(db, made.id);
  await recordAudit(db, actor, "redirect.created", subjectOf(redirect), { leads_to: toldOf(redirect) });
  return redirect;
}

/**
 * What the redirect from the address of something that is removed says.
 * @param fromPath that address, decoded
 * @param removed the category it was in, and the ids of what is removed with it
 * @throws InvalidError for `to`, as of addRedirect, and where it is removed itself
 */
export async function targetOf(
  db: Db,
  fromPath: string,
  to: GivenTarget,
  home: string,
  removed: { categoryId: string; without: readonly string[] },
): Promise<Row> {
  const row = await rowOf(db, fromPath, to, home);
  if (row.articleId && removed.without.includes(row.articleId)) {
    throw refusedTo("This is what is being deleted: choose something that stays.");
  }
  return row.kind === "gone" ? { ...row, categoryId: removed.categoryId } : row;
}

type Row = { kind: string; articleId: string | null; categoryId: string | null; url: string | null };

const nowhere: Readonly<Row> = { kind: "gone", articleId: null, categoryId: null, url: null };

/** Old addresses that lead to old addresses are followed so far. */
const MOST_HOPS = 10;

async function rowOf(db: Db, fromPath: string, to: GivenTarget, home: string): Promise<Row> {
  switch (to.kind) {
    case "gone":
      return { ...nowhere };
    case "article":
      return articleTarget(db, to.id);
    case "category": {
      const isId = z.guid().safeParse(to.id).success;
      const found = isId && (await db.category.findFirst({ where: { id: to.id }, select: { id: true } }));
      if (!found) throw noTarget();
      return { ...nowhere, kind: "category", categoryId: found.id };
    }
    case "address": {
      const cleaned = cleanedTo(to.address, home);
      if ("refused" in cleaned) throw refusedTo(cleaned.refused);
      if ("elsewhere" in cleaned) return { ...nowhere, kind: "url", url: cleaned.elsewhere };
      return atPath(db, cleaned.path, cleaned.rest, new Set([fromPath]));
    }
  }
}

/** What is at a path of the workspace, or what became of it. */
async function atPath(db: Db, path: string, rest: string, passed: Set<string>): Promise<Row> {
  const whole = encodedPath(path) + rest;
  if (passed.has(path)) {
    throw refusedTo(
      passed.size === 1
        ? "An old address cannot lead to itself: give another one."
        : `${path} leads back to the old address, so readers would go in a circle: lead it elsewhere.`,
    );
  }
  const [, kind, slug = ""] = /^\/(articles|categories)\/([^/]+)$/.exec(path) ?? [];
  if (kind === "articles") {
    const name = /^a-[0-9a-f]{8}$/.test(slug) ? { permalink: slug } : { slug };
    const article = await db.article.findFirst({ where: name, select: { id: true } });
    // A place in the text, or what is searched for, is kept; the article itself is, whatever its slug becomes.
    if (article) {
      const row = await articleTarget(db, article.id);
      return rest === "" ? row : { ...nowhere, kind: "url", url: whole };
    }
  } else if (kind === "categories") {
    const category = await db.category.findFirst({ where: { slug }, select: { id: true } });
    if (category && rest === "") return { ...nowhere, kind: "category", categoryId: category.id };
    if (category) return { ...nowhere, kind: "url", url: whole };
  }
  const further = await db.redirect.findFirst({ where: { fromPath: path } });
  if (further?.kind === "gone") throw refusedTo(`${path} is gone itself: lead it somewhere first, or choose another.`);
  if (further?.kind === "article" && further.articleId) return articleTarget(db, further.articleId);
  if (further?.kind === "category") return { ...nowhere, kind: "category", categoryId: further.categoryId };
  if (further?.url) {
    const next = cleanedTo(further.url, "");
    if (!("path" in next)) return { ...nowhere, kind: "url", url: further.url };
    if (passed.size < MOST_HOPS) return atPath(db, next.path, next.rest || rest, passed.add(path));
  }
  if (isOwnPage(path)) return { ...nowhere, kind: "url", url: whole };
  throw refusedTo(`There is nothing at ${path}: give the address of an article, a category or another page.`);
}

async function categoryOf(db: Db, target: RedirectTarget): Promise<string | null> {
  if (target.kind === "category") return target.id;
  if (target.kind === "gone") return null;
  // A place in an article is kept as an address.
  const cleaned = target.kind === "url" ? cleanedTo(target.url, "") : null;
  const path = cleaned && "path" in cleaned ? cleaned.path : "";
  const [, kind, slug = ""] = /^\/(articles|categories)\/([^/]+)$/.exec(path) ?? [];
  if (kind === "categories") {
    return (await db.category.findFirst({ where: { slug }, select: { id: true } }))?.id ?? null;
  }
  if (target.kind === "url" && kind !== "articles") return null;
  const which = target.kind === "article" ? { id: target.id } : { OR: [{ slug }, { permalink: slug }] };
  const article = await db.article.findFirst({ where: which, select: { categoryId: true } });
  return article?.categoryId ?? null;
}

async function articleTarget(db: Db, id: string): Promise<Row> {
  const isId = z.guid().safeParse(id).success;
  const found = isId && (await db.article.findFirst({ where: { id }, select: { id: true, state: true, title: true } }));
  if (!found) throw noTarget();
  if (found.state !== "published") {
    throw refusedTo(`“${found.title}” is not published, so readers would find nothing: publish it first.`);
  }
  return { ...nowhere, kind: "article", articleId: found.id };
}

/** The path that an old address is kept by. */
async function checkedFrom(db: Db, typed: string, home: string): Promise<string> {
  const cleaned = cleanedFrom(typed, home);
  if ("refused" in cleaned) throw new InvalidError([{ field: "from", code: "invalid", message: cleaned.refused }]);
  const { path } = cleaned;
  const refuse = (message: string) => new InvalidError([{ field: "from", code: "not_allowed", message }]);
  if (isOwnPage(path)) throw refuse(`The knowledge base has a page of its own at ${path}, which stays what it is.`);
  const [, kind, slug = ""] = /^\/(articles|categories)\/([^/]+)$/.exec(path) ?? [];
  const article =
    kind === "articles" &&
    (await db.article.findFirst({ where: { OR: [{ slug }, { permalink: slug }] }, select: { title: true } }));
  if (article) throw refuse(`This is the address of the article “${article.title}”, which goes before every redirect.`);
  const category = kind === "categories" && (await db.category.findFirst({ where: { slug }, select: { name: true } }));
  if (category)
    throw refuse(`This is the address of the category “${category.name}”, which goes before every redirect.`);
  if (await db.redirect.findFirst({ where: { fromPath: path }, select: { id: true } })) throw taken(path);
  return path;
}

/** A redirect that nobody else can change until the transaction ends. */
async function lockRedirect(db: Db, id: string): Promise<Redirect> {
  const [row] = z.guid().safeParse(id).success
    ? await db.$queryRaw<object[]>`SELECT FROM redirects WHERE id = ${id}::uuid FOR UPDATE`
    : [];
  if (!row) throw new NotFoundError("No such redirect.");
  return getRedirect(db, id);
}

async function getRedirect(db: Db, id: string): Promise<Redirect> {
  const redirect = await findRedirect(readingOf(db), id);
  if (!redirect) throw new NotFoundError("No such redirect.");
  return redirect;
}

const refusedTo = (message: string, code: InvalidField["code"] = "invalid") =>
  new InvalidError([{ field: "to", code, message }]);

const noTarget = () => refusedTo("What was chosen is not there any more: choose again.", "not_found");

const taken = (path: string) =>
  new InvalidError([
    { field: "from", code: "taken", message: `There is a redirect from ${path} already: change that one.` },
  ]);

function subjectOf({ id, fromPath }: Redirect): { kind: string; id: string; name: string } {
  return { kind: "redirect", id, name: fromPath };
}

function toldOf({ target }: Redirect): string {
  return addressOf(target) ?? "gone";
}
