import { type Actor, recordAudit } from "@/lib/audit";
import { leadTo, pathOf, reindexCategory, slugTaken } from "@/lib/categories/changes";
import { type CategoryVisibility, refusal } from "@/lib/categories/fields";
import { putInOrder, subjectOf, tooDeep } from "@/lib/categories/places";
import { MOST_LEVELS, Places } from "@/lib/categories/tree";
import { type Db, readingOf } from "@/lib/db";
import { InvalidError, NotFoundError } from "@/lib/errors";
import { holdSchedules } from "@/lib/publishing/hold";
import { unlessTaken } from "@/lib/taken";

/** What is left of a category that was removed. */
export interface Removed {
  name: string;
  /** How many articles and categories went elsewhere. */
  articles: number;
  categories: number;
  /** Whether others than before may read them. */
  reach: "opened" | "closed" | null;
}

/**
 * Removes a category. What is in it goes to the end of another one, and its address leads there; the address of an empty
 * one that nothing takes the place of is gone.
 * @param into where its articles and the categories below it go; null when it has none
 * @param as what is noted: that it was merged into the other, or deleted
 * @throws InvalidError about `into`: when there is something in it and it is null, when there is no such category, when
 *   it is the category itself or below it, and when categories would be below the sixth level
 * @throws NotFoundError when there is no such category
 */
export async function removeCategory(
  db: Db,
  id: string,
  into: string | null,
  actor: Actor,
  as: "merged" | "deleted" = "deleted",
): Promise<Removed> {
  const places = await Places.lock(db);
  const category = places.get(id);
  // Nobody puts an article into it from here on: its reference would wait, and then find nothing.
  const stored = await lockCategory(db, category.id);
  const children = places.childrenOf(category.id);
  const articles = await db.article.count({ where: { categoryId: category.id } });
  if (into === null && children.length + articles > 0) {
    throw refusal("into", "required", `Choose where what is in “${category.name}” goes.`);
  }
  const target = into === null ? null : targetFor(places, category.id, into);
  const was = places.isClosed(category.id);
  const is = target ? places.isClosed(target.id) : was;
  if (target) {
    await moveArticles(db, category.id, target.id, actor);
    const ids = children.map((child) => child.id);
    if (ids.length > 0) await db.category.updateMany({ where: { id: { in: ids } }, data: { parentId: target.id } });
    await putInOrder(db, [...places.childrenOf(target.id).filter((child) => child.id !== category.id), ...children]);
  }
  const folders = await leaveFolders(db, category.id, stored.sourcePath, target?.id ?? null);
  const former = await leaveAddresses(
    db,
    category,
    target?.id ?? null,
    was && !places.isClosed(target?.id ?? category.parentId),
  );
  await db.category.deleteMany({ where: { id: category.id } });
  if (target && articles > 0) await reindexCategory(db, target.id);
  const { slug, parentId, sequence, visibility } = category;
  await recordAudit(db, actor, `category.${as}`, subjectOf(category), {
    ...{ slug, parent_id: parentId, sequence, visibility, description: stored.description },
    ...(target
      ? { into: target.name, articles, categories: children.length }
      : { former: JSON.stringify(former), source: JSON.stringify({ ...stored, folders }) }),
  });
  return {
    name: category.name,
    articles,
    categories: children.length,
    reach: was === is ? null : is ? "closed" : "opened",
  };
}

/** What is not known of a place. */
interface Stored {
  description: string | null;
  /** The folder that it was imported from, and what that said. */
  sourcePath: string | null;
  sourceSettings: Record<string, string | number> | null;
}

async function lockCategory(db: Db, id: string): Promise<Stored> {
  const [row] = await readingOf(db)<Stored>(
    `SELECT description, source_path AS "sourcePath", source_settings AS "sourceSettings"
     FROM categories WHERE id = $1::uuid FOR UPDATE`,
    [id],
  );
  if (!row) throw new NotFoundError("No such category.");
  return row;
}

function targetFor(places: Places, id: string, into: string): { id: string; name: string } {
  const target = places.find(into);
  if (!target)
    throw refusal("into", "not_found", "The category it was to go into is not there any more: choose another one.");
  const path = places.pathTo(target.id);
  if (path.some((one) => one.id === id)) {
    throw refusal(
      "into",
      "not_allowed",
      `What is in “${places.get(id).name}” cannot go into itself or below: choose a category outside of it.`,
    );
  }
  if (path.length + places.heightOf(id) - 1 > MOST_LEVELS) throw refusal("into", "not_allowed", tooDeep);
  return target;
}

/**
 * Puts all articles of a category after those of another one, in their order. What is to be published by itself waits where
 * whoever moves it may not publish: others may read it there than where it was scheduled.
 */
async function moveArticles(db: Db, from: string, to: string, actor: Actor): Promise<void> {
  // In the order in which everybody locks articles.
  const moved = await db.$queryRaw<{ id: string }[]>`
    SELECT id::text FROM articles WHERE category_id = ${from}::uuid ORDER BY id FOR NO KEY UPDATE`;
  await db.$executeRaw`
    UPDATE articles a SET category_id = ${to}::uuid, sequence = last.place + g.place
    FROM (SELECT id, row_number() OVER (ORDER BY sequence, title, id) AS place FROM articles WHERE category_id = ${from}::uuid) g,
      (SELECT least(coalesce(max(sequence), 0), 2000000000) AS place FROM articles WHERE category_id = ${to}::uuid) last
    WHERE a.id = g.id`;
  await holdSchedules(
    db,
    moved.map(({ id }) => id),
    actor.kind === "member" ? actor.id : null,
  );
}

/**
 * Another import puts what is new in the category's folders where the rest of it went (lib/import/categories.ts).
 * @returns the folders of categories that were merged into this one
 */
async function leaveFolders(db: Db, categoryId: string, own: string | null, into: string | null): Promise<string[]> {
  const merged = await db.formerFolder.findMany({ where: { categoryId }, select: { path: true } });
  const folders = merged.map(({ path }) => path);
  const all = [...folders, ...(own === null ? [] : [own])];
  await db.formerFolder.deleteMany({ where: { path: { in: all } } });
  await db.formerFolder.createMany({ data: all.map((path) => ({ path, categoryId: into })) });
  return folders;
}

/** A former address, and whether somebody led it to the category by hand. */
interface FormerAddress {
  path: string;
  byHand: boolean;
}

/**
 * What was the address of the category leads to where its contents are, or is gone; so does what led to it.
 * @param secret it was for members, and what stands in its place is not: what was gone there is told to nobody
 * @returns the former addresses that are gone from now on
 */
async function leaveAddresses(
  db: Db,
  category: { id: string; slug: string; parentId: string | null },
  into: string | null,
  secret: boolean,
): Promise<FormerAddress[]> {
  const { id: categoryId, slug, parentId } = category;
  const leading = await db.redirect.findMany({
    where: { categoryId, kind: "category" },
    select: { fromPath: true, byHand: true },
  });
  const former = leading.map(({ fromPath, byHand }) => ({ path: fromPath, byHand }));
  const paths = former.map(({ path }) => path);
  if (!secret) {
    await db.redirect.updateMany({ where: { categoryId, kind: "gone" }, data: { categoryId: into ?? parentId } });
  }
  if (into !== null) {
    await db.redirect.updateMany({ where: { categoryId, kind: "category" }, data: { categoryId: into } });
    await leadTo(db, [pathOf(slug)], into);
    return [];
  }
  const gone = [pathOf(slug), ...paths];
  await db.redirect.deleteMany({ where: { fromPath: { in: gone } } });
  if (secret) return former;
  await db.redirect.createMany({ data: gone.map((fromPath) => ({ fromPath, kind: "gone", categoryId: parentId })) });
  return former;
}

interface Remembered {
  action: string;
  name: string;
  details: {
    slug: string;
    parent_id: string | null;
    sequence: number | null;
    visibility: CategoryVisibility;
    description: string | null;
    /** JSON, as details hold no lists: of FormerAddress, and of what is stored with the folders merged into it. */
    former?: string;
    source?: string;
  };
}

/** What came back of a category. */
export interface Restored {
  id: string;
  name: string;
  /** Former addresses that lead elsewhere by now, and go on to. */
  elsewhere: string[];
}

/**
 * Makes a category again that was deleted when it was empty, within a day, where it was and at its address. What anybody
 * made of its addresses since stays.
 * @throws InvalidError when that is not possible any more: another category or a redirect has its address, what was
 *   above it is gone, or there are as many categories as there can be
 * @throws NotFoundError when no such category was deleted, or what was in it went elsewhere when it was last removed
 */
export async function restoreCategory(db: Db, id: string, actor: Actor): Promise<Restored> {
  const places = await Places.lock(db);
  // It may have been brought back and removed again, in another way.
  const [entry] = await readingOf(db)<Remembered>(
    `SELECT action, subject_name AS name, details FROM audit_entries
     WHERE created_at > now() - interval '1 day' AND subject_id = $1::uuid AND subject_kind = 'category'
       AND action IN ('category.deleted', 'category.merged') ORDER BY created_at DESC LIMIT 1`,
    [id],
  );
  if (entry?.details.former === undefined || places.find(id)) throw new NotFoundError("No such category was deleted.");
  places.refuseMore();
  const { slug, parent_id: parentId, sequence, visibility, description } = entry.details;
  const above = places.pathTo(parentId).length;
  if ((parentId !== null && above === 0) || above >= MOST_LEVELS) {
    throw new InvalidError([
      {
        field: "parent",
        code: "not_found",
        message: "What was above the category is not there any more: create it anew elsewhere.",
      },
    ]);
  }
  const data = { id, name: entry.name, slug, parentId, sequence, visibility, description };
  await unlessTaken(slugTaken, () => db.category.create({ data }));
  const former = JSON.parse(entry.details.former) as FormerAddress[];
  // That it was gone is no longer so; whoever said so by hand since meant it.
  const own = { kind: "gone", byHand: false };
  await db.redirect.deleteMany({
    where: { ...own, fromPath: { in: [pathOf(slug), ...former.map(({ path }) => path)] } },
  });
  if ((await db.redirect.count({ where: { fromPath: pathOf(slug) } })) > 0) {
    throw refusal("slug", "taken", `Its address ${pathOf(slug)} leads elsewhere by now: remove that redirect first.`);
  }
  const taken = await takenOf(db, former.map(({ path }) => path)); // biome-ignore format: a short list
  const free = former.filter(({ path }) => !taken.has(path));
  await db.redirect.createMany({
    data: free.map(({ path, byHand }) => ({ fromPath: path, kind: "category", categoryId: id, byHand })),
  });
  await restoreFolders(db, id, entry.details.source);
  const elsewhere = former.filter(({ path }) => taken.has(path)).map(({ path }) => path);
  const lost = elsewhere.length > 0 && { lead_elsewhere: elsewhere.join(", ") };
  await recordAudit(db, actor, "category.restored", subjectOf({ id, name: entry.name }), { slug, ...lost });
  return { id, name: entry.name, elsewhere };
}

/** It is the category of its folders again, but for those that have another one by now. */
async function restoreFolders(db: Db, id: string, source: string | undefined): Promise<void> {
  const { sourcePath, sourceSettings, folders } = JSON.parse(source ?? "{}") as Partial<Stored> & {
    folders?: string[];
  };
  const all = [...(folders ?? []), ...(sourcePath == null ? [] : [sourcePath])];
  const waiting = await db.formerFolder.findMany({
    where: { path: { in: all }, categoryId: null },
    select: { path: true },
  });
  const free = new Set(waiting.map(({ path }) => path));
  if (sourcePath != null && free.delete(sourcePath)) {
    await db.formerFolder.deleteMany({ where: { path: sourcePath } });
    const data = { sourcePath, ...(sourceSettings && { sourceSettings }) };
    await db.category.updateMany({ where: { id }, data });
  }
  await db.formerFolder.updateMany({ where: { path: { in: [...free] } }, data: { categoryId: id } });
}

/** Of addresses, those that lead somewhere, or are a category's. */
async function takenOf(db: Db, paths: readonly string[]): Promise<Set<string>> {
  const taken = await readingOf(db)<{ path: string }>(
    `SELECT from_path AS path FROM redirects WHERE from_path = ANY($1::text[])
     UNION ALL SELECT '/categories/' || slug FROM categories WHERE '/categories/' || slug = ANY($1::text[])`,
    [paths],
  );
  return new Set(taken.map(({ path }) => path));
}
