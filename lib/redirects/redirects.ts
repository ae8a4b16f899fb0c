import { z } from "zod";
import { type Actor, recordAudit } from "@/lib/audit/audit";
import { type Db, type Read, readingOf } from "@/lib/db";
import { InvalidError, type InvalidField, NotFoundError } from "@/lib/errors";
import { cleanedFrom, cleanedTo, encodedPath, isOwnPage } from "@/lib/redirects/addresses";
import { searchArticles } from "@/lib/search/search";
import { unlessTaken } from "@/lib/taken";
import { putBack } from "@/lib/trash/rows";
import { lockTrash, putInTrash, removeFromTrash } from "@/lib/trash/trash";

export type RedirectTarget =
  | { kind: "article"; id: string; title: string; slug: string; published: boolean }
  | { kind: "category"; id: string; name: string; slug: string }
  /** A path of the knowledge base, or a URL of another site. */
  | { kind: "url"; url: string }
  | { kind: "gone" };

export interface Redirect {
  id: string;
  fromPath: string;
  target: RedirectTarget;
  /** False if a rename, move or deletion added it. */
  byHand: boolean;
  createdAt: Date;
}

export type RequestedTarget =
  | { kind: "article"; id: string }
  | { kind: "category"; id: string }
  | { kind: "address"; address: string }
  | { kind: "gone" };

/** "nowhere" finds redirects to unpublished articles. */
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

/** Newest first. @param search a part of the old URL, or of the target's title, name or URL */
export async function listRedirects(
  read: Read,
  filter: { search?: string; kind?: RedirectKind; byHand?: boolean; limit: number; offset: number },
): Promise<{ redirects: Redirect[]; total: number }> {
  const values: unknown[] = [];
  const value = (parameter: unknown) => `$${values.push(parameter)}`;
  const conditions = [
    filter.search &&
      `strpos(lower(concat_ws(E'\\n', r.from_path, a.title, '/articles/' || a.slug, c.name, '/categories/' || c.slug, r.url)),
         lower(${value(filter.search)})) > 0`,
    filter.kind === "nowhere" && "r.kind = 'article' AND a.state <> 'published'",
    filter.kind && filter.kind !== "nowhere" && `r.kind = ${value(filter.kind)}`,
    filter.byHand !== undefined && `r.by_hand = ${value(filter.byHand)}`,
  ].filter(Boolean);
  const where = conditions.length > 0 ? `WHERE ${conditions.join(" AND ")}` : "";
  const [count] = await read<{ total: number }>(`SELECT count(*)::int AS total FROM ${source} ${where}`, values);
  const redirects = await read<Redirect>(
    `SELECT ${columns} FROM ${source} ${where} ORDER BY r.created_at DESC, r.from_path COLLATE "C"
     LIMIT ${value(filter.limit)} OFFSET ${value(filter.offset)}`,
    values,
  );
  return { redirects, total: count?.total ?? 0 };
}

export async function findRedirect(read: Read, id: string): Promise<Redirect | null> {
  const [redirect] = await read<Redirect>(`SELECT ${columns} FROM ${source} WHERE r.id = $1::uuid`, [id]);
  return redirect ?? null;
}

export interface PossibleTarget {
  kind: "article" | "category";
  id: string;
  name: string;
  address: string;
}

const MOST_ARTICLES = 8;
const MOST_CATEGORIES = 4;

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

/** Null when the target is gone. */
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
 * Adds a redirect. If the target is an old URL itself, the redirect leads to its target.
 * @throws InvalidError for `from`: not a path, or one with a page or redirect, or for `to`: an unpublished article, the
 *   old URL itself, or another site without https
 */
export async function addRedirect(
  db: Db,
  input: { from: string; to: RequestedTarget },
  home: string,
  actor: Actor,
): Promise<Redirect> {
  const fromPath = await checkedFrom(db, input.from, home);
  const row = await rowOf(db, fromPath, input.to, home);
  const { id } = await unlessTaken(
    () => taken(fromPath),
    () => db.redirect.create({ data: { fromPath, byHand: true, ...row }, select: { id: true } }),
  );
  const redirect = await getRedirect(db, id);
  await recordAudit(db, actor, "redirect.created", subjectOf(redirect), { leads_to: targetText(redirect) });
  return redirect;
}

/** @param agree sees the locked redirect before the change, and may throw */
export async function changeRedirect(
  db: Db,
  id: string,
  to: RequestedTarget,
  home: string,
  actor: Actor,
  agree: (before: Redirect) => void = () => {},
): Promise<Redirect> {
  const before = await lockRedirect(db, id);
  agree(before);
  if (before.target.kind === "gone" && to.kind === "gone") return before;
  const row = await rowOf(db, before.fromPath, to, home);
  // The category decides who may learn that the page is gone (lib/reader/former-address.ts).
  if (to.kind === "gone") row.categoryId = await categoryOf(db, before.target);
  if ((await db.redirect.count({ where: { id, ...row } })) > 0) return before;
  await db.redirect.updateMany({ where: { id }, data: { ...row, byHand: true } });
  const after = await getRedirect(db, id);
  const details = { leads_to: `${targetText(before)} → ${targetText(after)}` };
  if (targetText(before) !== targetText(after))
    await recordAudit(db, actor, "redirect.updated", subjectOf(after), details);
  return after;
}

/** @param agree sees the locked redirect before the change, and may throw */
export async function removeRedirect(
  db: Db,
  id: string,
  actor: Actor,
  agree: (before: Redirect) => void = () => {},
): Promise<Redirect> {
  const redirect = await lockRedirect(db, id);
  agree(redirect);
  await putInTrash(db, "redirect", [redirect.id], actor);
  await db.redirect.deleteMany({ where: { id: redirect.id } });
  await recordAudit(db, actor, "redirect.removed", subjectOf(redirect), { leads_to: targetText(redirect) });
  return redirect;
}

/** @throws InvalidError when its old URL has a page or redirect now, and when its target is gone */
export async function restoreRedirect(db: Db, id: string, home: string, actor: Actor): Promise<Redirect> {
  const [entry] = await lockTrash<{ article_id: string | null; category_id: string | null }>(db, "redirect", [id]);
  if (!entry) throw new NotFoundError("This redirect was deleted.");
  const { article_id: articleId, category_id: categoryId } = entry.row;
  const fromPath = await checkedFrom(db, encodedPath(entry.title), home);
  if (articleId && !(await db.article.findFirst({ where: { id: articleId } }))) throw targetGone();
  if (categoryId && !(await db.category.findFirst({ where: { id: categoryId } }))) throw targetGone();
  if ((await putBack(db, "redirects", [entry.id])) === 0) throw taken(fromPath);
  await removeFromTrash(db, [entry.id]);
  const redirect = await getRedirect(db, entry.id);
  await recordAudit(db, actor, "redirect.restored", subjectOf(redirect), { leads_to: targetText(redirect) });
  return redirect;
}

/** The target columns of the redirect from the URL of a deleted article. `removed` says what was deleted with it. */
export async function targetOf(
  db: Db,
  fromPath: string,
  to: RequestedTarget,
  home: string,
  removed: { categoryId: string; without: readonly string[] },
): Promise<Row> {
  const row = await rowOf(db, fromPath, to, home);
  if (row.articleId && removed.without.includes(row.articleId)) {
    throw refusedTo("This page is being deleted too. Choose another destination.");
  }
  return row.kind === "gone" ? { ...row, categoryId: removed.categoryId } : row;
}

type Row = { kind: string; articleId: string | null; categoryId: string | null; url: string | null };

const nowhere: Readonly<Row> = { kind: "gone", articleId: null, categoryId: null, url: null };

const MOST_HOPS = 10;

async function rowOf(db: Db, fromPath: string, to: RequestedTarget, home: string): Promise<Row> {
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

async function atPath(db: Db, path: string, rest: string, passed: Set<string>): Promise<Row> {
  const whole = encodedPath(path) + rest;
  if (passed.has(path)) {
    throw refusedTo(
      passed.size === 1
        ? "A URL can't redirect to itself. Choose another destination."
        : `${path} redirects back to the old URL, which would create a loop. Choose another destination.`,
    );
  }
  const [, kind, slug = ""] = /^\/(articles|categories)\/([^/]+)$/.exec(path) ?? [];
  if (kind === "articles") {
    const name = /^a-[0-9a-f]{8}$/.test(slug) ? { permalink: slug } : { slug };
    const article = await db.article.findFirst({ where: name, select: { id: true } });
    // A URL with a query or hash is kept as it is. Otherwise the redirect follows the article's slug.
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
  if (further?.kind === "gone")
    throw refusedTo(`${path} was deleted. Redirect it first, or choose another destination.`);
  if (further?.kind === "article" && further.articleId) return articleTarget(db, further.articleId);
  if (further?.kind === "category") return { ...nowhere, kind: "category", categoryId: further.categoryId };
  if (further?.url) {
    const next = cleanedTo(further.url, "");
    if (!("path" in next)) return { ...nowhere, kind: "url", url: further.url };
    if (passed.size < MOST_HOPS) return atPath(db, next.path, next.rest || rest, passed.add(path));
  }
  if (isOwnPage(path)) return { ...nowhere, kind: "url", url: whole };
  throw refusedTo(`There is nothing at ${path}. Enter the URL of an article, a category, or another page.`);
}

async function categoryOf(db: Db, target: RedirectTarget): Promise<string | null> {
  if (target.kind === "category") return target.id;
  if (target.kind === "gone") return null;
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
    throw refusedTo(`“${found.title}” is not published, so readers would find nothing. Publish it first.`);
  }
  return { ...nowhere, kind: "article", articleId: found.id };
}

async function checkedFrom(db: Db, typed: string, home: string): Promise<string> {
  const cleaned = cleanedFrom(typed, home);
  if ("refused" in cleaned) throw new InvalidError([{ field: "from", code: "invalid", message: cleaned.refused }]);
  const { path } = cleaned;
  const refuse = (message: string) => new InvalidError([{ field: "from", code: "not_allowed", message }]);
  if (isOwnPage(path)) throw refuse(`${path} is a page of the knowledge base and can't be redirected.`);
  const [, kind, slug = ""] = /^\/(articles|categories)\/([^/]+)$/.exec(path) ?? [];
  const article =
    kind === "articles" &&
    (await db.article.findFirst({ where: { OR: [{ slug }, { permalink: slug }] }, select: { title: true } }));
  if (article) throw refuse(`The article “${article.title}” has this URL. Existing pages can't be redirected.`);
  const category = kind === "categories" && (await db.category.findFirst({ where: { slug }, select: { name: true } }));
  if (category) throw refuse(`The category “${category.name}” has this URL. Existing pages can't be redirected.`);
  if (await db.redirect.findFirst({ where: { fromPath: path }, select: { id: true } })) throw taken(path);
  return path;
}

async function lockRedirect(db: Db, id: string): Promise<Redirect> {
  const [row] = z.guid().safeParse(id).success
    ? await db.$queryRaw<object[]>`SELECT FROM redirects WHERE id = ${id}::uuid FOR UPDATE`
    : [];
  if (!row) throw new NotFoundError("This redirect was deleted.");
  return getRedirect(db, id);
}

async function getRedirect(db: Db, id: string): Promise<Redirect> {
  const redirect = await findRedirect(readingOf(db), id);
  if (!redirect) throw new NotFoundError("This redirect was deleted.");
  return redirect;
}

const refusedTo = (message: string, code: InvalidField["code"] = "invalid") =>
  new InvalidError([{ field: "to", code, message }]);

const noTarget = () => refusedTo("This destination was deleted. Choose another one.", "not_found");

const targetGone = () =>
  refusedTo("The destination of this redirect was deleted. Restore that page first.", "not_found");

const taken = (path: string) =>
  new InvalidError([
    { field: "from", code: "taken", message: `${path} already has a redirect. Edit that redirect instead.` },
  ]);

function subjectOf({ id, fromPath }: Redirect): { kind: string; id: string; name: string } {
  return { kind: "redirect", id, name: fromPath };
}

function targetText({ target }: Redirect): string {
  return addressOf(target) ?? "gone";
}
