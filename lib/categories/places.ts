import { type Actor, recordAudit } from "@/lib/audit";
import { refusal } from "@/lib/categories/fields";
import { MOST_LEVELS, Places } from "@/lib/categories/tree";
import { type Db, readingOf } from "@/lib/db";
import { NotFoundError } from "@/lib/errors";

/** Where a category is put. */
export interface Place {
  /** Null for the top. */
  parentId: string | null;
  /** Of those in the same place, the one it comes before; null: after all of them. */
  before: string | null;
}

/** What came of a move. */
export interface Moved {
  name: string;
  /** Where it was. */
  back: Place;
  /** Whether others than before may read what is in it. */
  reach: "opened" | "closed" | null;
}

const goneMeanwhile =
  "Somebody has moved or deleted the category next to it meanwhile: look where it is now, and move it again.";

/**
 * Puts a category, with all that is below it, elsewhere.
 * @param to.position instead of `before`: from 1 on, among those in the same place; more than there are is the end
 * @param from where whoever moves it saw it; anywhere when left out
 * @throws InvalidError about `parent` below itself, below six levels, where something has changed since it was seen
 * @throws NotFoundError when there is no such category
 */
export async function placeCategory(
  db: Db,
  id: string,
  to: Place | { parentId: string | null; position: number },
  actor: Actor,
  from?: { parentId: string | null },
): Promise<Moved> {
  const places = await Places.lock(db);
  const category = places.get(id);
  const back = placeOf(places, category.id);
  if (from && from.parentId !== category.parentId) {
    const now = places.find(category.parentId)?.name;
    const where = now ? `below “${now}”` : "at the top";
    throw refusal(
      "parent",
      "not_allowed",
      `Somebody has moved “${category.name}” meanwhile: it is ${where} now. Move it again from there.`,
    );
  }
  const parentId = parentFor(places, category.id, to.parentId);
  const others = places.childrenOf(parentId).filter((other) => other.id !== category.id);
  const at =
    "before" in to ? indexBefore(others, to.before) : Math.min(Math.max(Math.trunc(to.position), 1) - 1, others.length);
  const was = places.isClosed(category.id);
  if (parentId !== category.parentId) await db.category.updateMany({ where: { id: category.id }, data: { parentId } });
  await putInOrder(db, [...others.slice(0, at), category, ...others.slice(at)]);
  // At the top a category may be for everyone where the workspace is not.
  const open = category.visibility === "everyone" && parentId === null;
  const is = category.visibility === "members" || (!open && places.isClosed(parentId));
  const name = (of: string | null) =>
    places
      .pathTo(of)
      .map((one) => one.name)
      .join(" / ") || "the top";
  await recordAudit(db, actor, "category.moved", subjectOf(category), {
    ...(parentId !== category.parentId && { parent: `${name(category.parentId)} → ${name(parentId)}` }),
    place: at + 1,
  });
  return { name: category.name, back, reach: was === is ? null : is ? "closed" : "opened" };
}

/** Where a category is. */
function placeOf(places: Places, id: string): Place {
  const { parentId } = places.get(id);
  const level = places.childrenOf(parentId);
  return { parentId, before: level[level.findIndex((one) => one.id === id) + 1]?.id ?? null };
}

/**
 * The parent that is asked for, checked.
 * @param id what goes there; null for a new one
 */
export function parentFor(places: Places, id: string | null, asked: string | null): string | null {
  if (asked === null) return null;
  const parent = places.find(asked);
  if (!parent)
    throw refusal("parent", "not_found", "The category it was to go into is not there any more: choose another one.");
  const path = places.pathTo(parent.id);
  if (id !== null && path.some((one) => one.id === id)) {
    throw refusal("parent", "not_allowed", `“${places.get(id).name}” cannot be below itself.`);
  }
  if (path.length + (id === null ? 1 : places.heightOf(id)) > MOST_LEVELS)
    throw refusal("parent", "not_allowed", tooDeep);
  return parent.id;
}

export const tooDeep = `Categories have at most ${MOST_LEVELS} levels: put it further up.`;

export function indexBefore(level: readonly { id: string }[], before: string | null): number {
  if (before === null) return level.length;
  const at = level.findIndex(({ id }) => id === before.toLowerCase());
  if (at < 0) throw refusal("parent", "not_allowed", goneMeanwhile);
  return at;
}

/** Numbers the categories of one level in this order, those alone that have another number. */
export async function putInOrder(db: Db, level: readonly { id: string; sequence: number | null }[]): Promise<void> {
  const changed = level
    .map(({ id, sequence }, index) => ({ id, sequence, to: index + 1 }))
    .filter(({ sequence, to }) => sequence !== to);
  if (changed.length === 0) return;
  await db.$executeRaw`
    UPDATE categories c SET sequence = g.place FROM unnest(${changed.map(({ id }) => id)}::uuid[], ${changed.map(({ to }) => to)}::int[]) AS g(id, place)
    WHERE c.id = g.id`;
}

export function subjectOf({ id, name }: { id: string; name: string }): { kind: string; id: string; name: string } {
  return { kind: "category", id, name };
}

/**
 * Puts an article elsewhere in the order of its category.
 * @param to.before the article it comes before, null: after all of them; or its position, from 1 on
 * @returns what it came before until now, for whoever wants it back
 * @throws InvalidError about `before` when that one is not in the category any more
 * @throws NotFoundError when there is no such category, or the article is not in it
 */
export async function placeArticle(
  db: Db,
  categoryId: string,
  articleId: string,
  to: { before: string | null } | { position: number },
  actor: Actor,
): Promise<{ title: string; back: string | null }> {
  const read = readingOf(db);
  // Of two who put the same articles in order, one sees the order of the other.
  const [category] = await read<{ id: string; name: string }>(
    "SELECT id::text, name FROM categories WHERE id = $1::uuid FOR NO KEY UPDATE",
    [categoryId],
  );
  if (!category) throw new NotFoundError("This category is not there any more: somebody has deleted it.");
  const all = await read<{ id: string; title: string; sequence: number }>(
    "SELECT id::text, title, sequence FROM articles WHERE category_id = $1::uuid ORDER BY sequence, title, id",
    [categoryId],
  );
  const index = all.findIndex(({ id }) => id === articleId.toLowerCase());
  const article = all[index];
  if (!article)
    throw new NotFoundError("This article is not in the category any more: somebody has moved or deleted it.");
  const others = all.filter((one) => one !== article);
  const position = "position" in to ? Math.min(Math.max(Math.trunc(to.position), 1) - 1, others.length) : others.length;
  const at =
    "before" in to && to.before !== null ? others.findIndex(({ id }) => id === to.before?.toLowerCase()) : position;
  if (at < 0) {
    throw refusal(
      "before",
      "not_found",
      "The article next to it is not in this category any more: look at the order as it is now, and move it again.",
    );
  }
  const changed = [...others.slice(0, at), article, ...others.slice(at)]
    .map(({ id, sequence }, place) => ({ id, sequence, to: place + 1 }))
    .filter(({ sequence, to: place }) => sequence !== place)
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const ids = changed.map(({ id }) => id);
  // In the order in which everybody locks articles.
  await db.$executeRaw`SELECT id FROM articles WHERE id = ANY(${ids}::uuid[]) ORDER BY id FOR NO KEY UPDATE`;
  await db.$executeRaw`
    UPDATE articles a SET sequence = g.place FROM unnest(${ids}::uuid[], ${changed.map(({ to: place }) => place)}::int[]) AS g(id, place)
    WHERE a.id = g.id`;
  await recordAudit(db, actor, "category.articles_ordered", subjectOf(category), {
    article: article.title,
    place: at + 1,
  });
  return { title: article.title, back: all[index + 1]?.id ?? null };
}
