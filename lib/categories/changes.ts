import { type Actor, recordAudit } from "@/lib/audit";
import { type CategoryFields, checkedCategory, refusal } from "@/lib/categories/fields";
import { indexBefore, type Place, parentFor, putInOrder, subjectOf } from "@/lib/categories/places";
import { Places } from "@/lib/categories/tree";
import { slugify } from "@/lib/content/slug";
import { type Db, readingOf } from "@/lib/db";
import { enqueue } from "@/lib/jobs";
import { reindexArticles } from "@/lib/search/reindex";
import { unlessTaken } from "@/lib/taken";

/**
 * Makes a category. Those in the same place keep the order in which they are shown.
 * @param given.slug made of the name when absent or empty, with a number where that is, or was, another's address
 * @throws InvalidError naming the fields that cannot be: also a slug that is another category's, and a parent that is
 *   none or at the sixth level; and where the workspace has MOST_CATEGORIES
 */
export async function createCategory(
  db: Db,
  given: { name: string } & Partial<CategoryFields> & Partial<Place>,
  actor: Actor,
): Promise<{ id: string; name: string; slug: string; seen: number }> {
  const { name, slug, description, visibility = "inherit" } = checkedCategory({ slug: "", description: "", ...given });
  const places = await Places.lock(db);
  places.refuseMore();
  const parentId = parentFor(places, null, given.parentId ?? null);
  const level = places.childrenOf(parentId);
  const at = indexBefore(level, given.before ?? null);
  const updatedAt = new Date();
  const data = {
    ...{ name, parentId, visibility, updatedAt },
    slug: slug || (await freeSlug(db, name)),
    description: description || null,
  };
  const { id } = await unlessTaken(slugTaken, () => db.category.create({ data, select: { id: true } }));
  await freeAddress(db, data.slug);
  await putInOrder(db, [...level.slice(0, at), { id, sequence: null }, ...level.slice(at)]);
  const details = { slug: data.slug, parent: places.find(parentId)?.name ?? "the top", visibility };
  await recordAudit(db, actor, "category.created", subjectOf({ id, name }), details);
  return { id, name, slug: data.slug, seen: updatedAt.getTime() };
}

/**
 * Changes fields of a category; what is absent stays. The address that it had leads to it from then on.
 * @param changes.slug empty: made of the name
 * @param seen `seen` of the category when whoever changes it looked at it; anything when left out
 * @throws InvalidError naming the fields that cannot be, or that somebody has changed the category since it was seen
 * @throws NotFoundError when there is no such category
 */
export async function updateCategory(
  db: Db,
  id: string,
  changes: Partial<CategoryFields>,
  actor: Actor,
  seen?: number,
): Promise<{ id: string; name: string; slug: string; seen: number }> {
  const given = checkedCategory(changes);
  const places = await Places.lock(db);
  const { seen: now, ...before } = places.get(id);
  if (seen !== undefined && seen !== now) {
    throw refusal(
      "",
      "not_allowed",
      `Somebody has changed “${before.name}” meanwhile, so nothing is saved. Look at it as it is now, then make your change again.`,
    );
  }
  const stored = await db.category.findFirstOrThrow({ where: { id: before.id }, select: { description: true } });
  const name = given.name ?? before.name;
  const after = {
    name,
    slug: given.slug === "" ? await freeSlug(db, name, before.id) : (given.slug ?? before.slug),
    visibility: given.visibility ?? before.visibility,
    description: given.description === undefined ? stored.description : given.description || null,
  };
  const old = { ...before, description: stored.description };
  const changed = (["name", "slug", "visibility", "description"] as const).filter(
    (field) => after[field] !== old[field],
  );
  if (changed.length === 0) return { id: before.id, name, slug: after.slug, seen: now };
  // Later than it was, also within the same millisecond.
  const updatedAt = new Date(Math.max(Date.now(), now + 1));
  await unlessTaken(slugTaken, () =>
    db.category.updateMany({ where: { id: before.id }, data: { ...after, updatedAt } }),
  );
  if (after.slug !== before.slug) {
    await freeAddress(db, after.slug);
    await leadTo(db, [pathOf(before.slug)], before.id);
  }
  if (after.name !== before.name) await reindexCategory(db, before.id);
  const details = Object.fromEntries(changed.map((field) => [field, `${old[field] ?? ""} → ${after[field] ?? ""}`]));
  await recordAudit(db, actor, "category.updated", subjectOf({ id: before.id, name }), details);
  return { id: before.id, name, slug: after.slug, seen: updatedAt.getTime() };
}

/** The address of a category's page. */
export function pathOf(slug: string): string {
  return `/categories/${slug}`;
}

/** Former addresses lead to a category. */
export async function leadTo(db: Db, paths: readonly string[], categoryId: string): Promise<void> {
  await db.redirect.deleteMany({ where: { fromPath: { in: [...paths] } } });
  await db.redirect.createMany({ data: paths.map((fromPath) => ({ fromPath, kind: "category", categoryId })) });
}

/** What now is the address of a category leads nowhere else. */
async function freeAddress(db: Db, slug: string): Promise<void> {
  await db.redirect.deleteMany({ where: { fromPath: pathOf(slug) } });
}

/** The slug of a name, with the first number from 2 on where it is, or was, the address of another category. */
async function freeSlug(db: Db, name: string, id: string | null = null): Promise<string> {
  const wanted = slugify(name);
  const taken = new Set(
    (
      await readingOf(db)<{ slug: string }>(
        `SELECT slug FROM categories WHERE id IS DISTINCT FROM $1::uuid AND starts_with(slug, $2)
         UNION ALL SELECT substr(from_path, 13) FROM redirects
         WHERE starts_with(from_path, '/categories/' || $2) AND category_id IS DISTINCT FROM $1::uuid`,
        [id, wanted.slice(0, 90)],
      )
    ).map(({ slug }) => slug),
  );
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? "" : `-${number}`;
    const slug = wanted.slice(0, 100 - suffix.length).replace(/-+$/, "") + suffix;
    if (!taken.has(slug)) return slug;
  }
}

/** The most articles that are found by another name of their category at once; of more, a moment later. */
const AT_ONCE = 200;

/** A category's name is among the words by which its articles are found. */
export async function reindexCategory(db: Db, categoryId: string): Promise<void> {
  const articles = await db.article.findMany({ where: { categoryId }, select: { id: true }, take: AT_ONCE + 1 });
  if (articles.length > AT_ONCE) await enqueue(db, "reindex_category", { categoryId });
  else await reindexArticles(db, articles.map(({ id }) => id)); // biome-ignore format: a short list
}

export const slugTaken = () => refusal("slug", "taken", "Another category has this address: choose another one.");
