import { type Actor, recordAudit, recordAudits } from "@/lib/audit/audit";
import { refusal } from "@/lib/categories/fields";
import { CategoryTree, MOST_LEVELS } from "@/lib/categories/tree";
import { type Db, readingOf } from "@/lib/db";
import { NotFoundError } from "@/lib/errors";

export interface Position {
  parentId: string | null;
  /** The next sibling, or null at the end. */
  before: string | null;
}

export interface Moved {
  name: string;
  back: Position;
  /** Whether more or fewer people may read its contents. */
  reach: "opened" | "closed" | null;
}

const goneMeanwhile = "Not moved. Someone moved or deleted the neighboring category. Try the move again.";

/**
 * Moves a category with its subtree. If it is there already, nothing is written.
 * @param to.position instead of `before`: counted from 1, at most the end
 * @param from where the person saw the category
 * @throws InvalidError about `parent`: below itself, too deep, or changed since it was seen
 */
export async function placeCategory(
  db: Db,
  id: string,
  to: Position | { parentId: string | null; position: number },
  actor: Actor,
  from?: { parentId: string | null },
): Promise<Moved> {
  const tree = await CategoryTree.lock(db);
  const category = tree.get(id);
  const back = positionOf(tree, category.id);
  if (from && from.parentId !== category.parentId) {
    const now = tree.find(category.parentId)?.name;
    const where = now ? `in “${now}.”` : "at the top level.";
    throw refusal(
      "parent",
      "not_allowed",
      `Not moved. Someone moved “${category.name},” and it is now ${where} Move it again from there.`,
    );
  }
  const parentId = parentFor(tree, category.id, to.parentId);
  const others = tree.childrenOf(parentId).filter((other) => other.id !== category.id);
  const at = "before" in to ? indexBefore(others, to.before) : indexAt(others, to.position);
  const index = tree.childrenOf(parentId).findIndex(({ id }) => id === category.id);
  if (index === at) return { name: category.name, back, reach: null };
  const wasClosed = tree.isClosed(category.id);
  if (parentId !== category.parentId) await db.category.updateMany({ where: { id: category.id }, data: { parentId } });
  await putInOrder(db, [...others.slice(0, at), category, ...others.slice(at)]);
  // At the top, a category can be for everyone although the workspace is not.
  const open = category.visibility === "everyone" && parentId === null;
  const isClosed = category.visibility === "members" || (!open && tree.isClosed(parentId));
  const name = (parent: string | null) =>
    tree
      .pathTo(parent)
      .map((one) => one.name)
      .join(" / ") || "the top";
  await recordAudit(db, actor, "category.moved", subjectOf(category), {
    ...(parentId !== category.parentId && { parent: `${name(category.parentId)} → ${name(parentId)}` }),
    place: at + 1,
  });
  return { name: category.name, back, reach: wasClosed === isClosed ? null : isClosed ? "closed" : "opened" };
}

/**
 * Puts all children of a category, or of the top level, in an order. The log names the fewest categories that had to move.
 * @returns whether anything changed
 * @throws InvalidError about `parent`, or about `ids` that are not exactly the children
 */
export async function orderCategories(
  db: Db,
  parentId: string | null,
  ids: readonly string[],
  actor: Actor,
): Promise<boolean> {
  const tree = await CategoryTree.lock(db);
  const level = tree.childrenOf(parentFor(tree, null, parentId));
  const children = new Map(level.map((child) => [child.id, child]));
  const order = [...new Set(ids.map((id) => id.toLowerCase()))].flatMap((id) => children.get(id) ?? []);
  const ordered = new Set(order);
  const missing = level.filter((child) => !ordered.has(child));
  if (missing.length > 0 || order.length < ids.length) throw refusal("ids", "invalid", notAll(missing));
  const moved = movedBetween(level, order);
  if (moved.length === 0) return false;
  await putInOrder(db, order);
  const places = new Map(order.map((category, index) => [category, index + 1]));
  await recordAudits(
    db,
    actor,
    "category.moved",
    moved.map((category) => ({ subject: subjectOf(category), details: { place: places.get(category)! } })),
  );
  return true;
}

function notAll(missing: readonly { id: string }[]): string {
  const ids = missing.slice(0, 20).map(({ id }) => id);
  const more = missing.length > ids.length ? ` and ${missing.length - ids.length} more` : "";
  const lacking =
    ids.length > 0
      ? `Missing: ${ids.join(", ")}${more}.`
      : "Remove duplicate IDs and IDs of categories that are not in the parent.";
  return `List the ID of every category in the parent exactly once. ${lacking}`;
}

/** The items to move so that a longest possible part of the others keeps its order. */
function movedBetween<Item>(before: readonly Item[], after: readonly Item[]): Item[] {
  const places = new Map(before.map((item, place) => [item, place]));
  const placeOf = (item: Item) => places.get(item) ?? 0;
  // For each length, the run of kept items that ends earliest. Runs share their beginnings.
  const runs: Run<Item>[] = [];
  for (const item of after) {
    const length = firstIndex(runs.length, (index) => placeOf(runs[index]!.last) >= placeOf(item));
    runs[length] = { last: item, rest: runs[length - 1] };
  }
  const kept = new Set<Item>();
  for (let run = runs.at(-1); run; run = run.rest) kept.add(run.last);
  return after.filter((item) => !kept.has(item));
}

interface Run<Item> {
  last: Item;
  rest: Run<Item> | undefined;
}

/** The first of `count` indexes for which a condition holds that then holds for all later ones, or `count`. */
function firstIndex(count: number, holds: (index: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function positionOf(tree: CategoryTree, id: string): Position {
  const { parentId } = tree.get(id);
  const level = tree.childrenOf(parentId);
  return { parentId, before: level[level.findIndex((one) => one.id === id) + 1]?.id ?? null };
}

export function parentFor(tree: CategoryTree, id: string | null, requested: string | null): string | null {
  if (requested === null) return null;
  const parent = tree.find(requested);
  if (!parent) throw refusal("parent", "not_found", "The parent category doesn't exist. Choose another one.");
  const path = tree.pathTo(parent.id);
  if (id !== null && path.some((one) => one.id === id)) {
    throw refusal(
      "parent",
      "not_allowed",
      `“${tree.get(id).name}” can't be moved into itself or its subcategories. Choose another category.`,
    );
  }
  if (path.length + (id === null ? 1 : tree.heightOf(id)) > MOST_LEVELS)
    throw refusal("parent", "not_allowed", tooDeep);
  return parent.id;
}

export const tooDeep = `Categories can have up to ${MOST_LEVELS} levels. Choose a category at a higher level.`;

export function indexBefore(level: readonly { id: string }[], before: string | null): number {
  if (before === null) return level.length;
  const at = level.findIndex(({ id }) => id === before.toLowerCase());
  if (at < 0) throw refusal("parent", "not_allowed", goneMeanwhile);
  return at;
}

/** @param position counted from 1, at most the end */
export function indexAt(level: readonly unknown[], position: number): number {
  return Math.min(Math.max(Math.trunc(position), 1) - 1, level.length);
}

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
 * Moves an article within its category.
 * @param to.position instead of `before`: counted from 1
 * @returns `back`: the article that followed before
 * @throws InvalidError about `before`
 */
export async function placeArticle(
  db: Db,
  categoryId: string,
  articleId: string,
  to: { before: string | null } | { position: number },
  actor: Actor,
): Promise<{ title: string; back: string | null }> {
  const read = readingOf(db);
  // The second of two simultaneous changes sees the order of the first.
  const [category] = await read<{ id: string; name: string }>(
    "SELECT id::text, name FROM categories WHERE id = $1::uuid FOR NO KEY UPDATE",
    [categoryId],
  );
  if (!category) throw new NotFoundError("This category was deleted.");
  const all = await read<{ id: string; title: string; sequence: number }>(
    "SELECT id::text, title, sequence FROM articles WHERE category_id = $1::uuid ORDER BY sequence, title, id",
    [categoryId],
  );
  const index = all.findIndex(({ id }) => id === articleId.toLowerCase());
  const article = all[index];
  if (!article) throw new NotFoundError("This article was moved or deleted.");
  const others = all.filter((one) => one !== article);
  const position = "position" in to ? indexAt(others, to.position) : others.length;
  const at =
    "before" in to && to.before !== null ? others.findIndex(({ id }) => id === to.before?.toLowerCase()) : position;
  if (at < 0) {
    throw refusal(
      "before",
      "not_found",
      "Not moved. Someone moved or deleted the neighboring article. Try the move again.",
    );
  }
  const changed = [...others.slice(0, at), article, ...others.slice(at)]
    .map(({ id, sequence }, place) => ({ id, sequence, to: place + 1 }))
    .filter(({ sequence, to: place }) => sequence !== place)
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const ids = changed.map(({ id }) => id);
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
