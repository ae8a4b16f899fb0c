import { randomUUID } from "node:crypto";
import { type Actor, recordAudit, recordAudits } from "@/lib/audit/audit";
import { type CategoryFields, checkedCategory, refusal } from "@/lib/categories/fields";
import { lockWithArticles } from "@/lib/categories/locks";
import {
  indexAt,
  indexBefore,
  type Position,
  parentFor,
  putInOrder,
  subjectOf,
  tooDeep,
} from "@/lib/categories/places";
import { CategoryTree, MOST_CATEGORIES, MOST_LEVELS, tooManyCategories, treeOrder } from "@/lib/categories/tree";
import { slugify } from "@/lib/content/slug";
import { type Db, inOneGo, readingOf } from "@/lib/db";
import { enqueue } from "@/lib/jobs";
import { reindexArticles } from "@/lib/search/reindex";
import { unlessTaken } from "@/lib/taken";

/**
 * Derives an empty slug from the name, with a number if another category has or had it. Throws InvalidError naming the fields,
 * and above MOST_CATEGORIES.
 * @param input.position instead of `before`: counted from 1, at most the end
 */
export async function createCategory(
  db: Db,
  input: { name: string; position?: number | undefined } & Partial<CategoryFields> & Partial<Position>,
  actor: Actor,
): Promise<{ id: string; name: string; slug: string; seen: number }> {
  const { name, slug, description, visibility = "inherit" } = checkedCategory({ slug: "", description: "", ...input });
  const tree = await CategoryTree.lock(db);
  tree.refuseMore();
  const parentId = parentFor(tree, null, input.parentId ?? null);
  const level = tree.childrenOf(parentId);
  const at = input.position === undefined ? indexBefore(level, input.before ?? null) : indexAt(level, input.position);
  const updatedAt = new Date();
  const data = {
    name,
    parentId,
    visibility,
    updatedAt,
    slug: slug || (await freeSlug(db, slugify(name))),
    description: description || null,
  };
  const { id } = await unlessTaken(slugTaken, () => db.category.create({ data, select: { id: true } }));
  await freeAddress(db, data.slug);
  await putInOrder(db, [...level.slice(0, at), { id, sequence: null }, ...level.slice(at)]);
  const details = { slug: data.slug, parent: tree.find(parentId)?.name ?? "the top", visibility };
  await recordAudit(db, actor, "category.created", subjectOf({ id, name }), details);
  return { id, name, slug: data.slug, seen: updatedAt.getTime() };
}

/**
 * Creates the missing categories of a path, each at the end of its level, in a few statements. The caller must have called
 * lockCategories.
 * @param above the existing part of the path, from the top level down
 * @param names at least one, of the missing part
 * @returns the new categories, from the top level down
 * @throws InvalidError naming the field, and above MOST_CATEGORIES. The database's unique violation (23505) when an import takes a slug
 * at the same time
 */
export async function createCategoriesBelow(
  db: Db,
  above: readonly { id: string; name: string }[],
  names: readonly string[],
  actor: Actor,
): Promise<{ id: string; name: string }[]> {
  if (above.length + names.length > MOST_LEVELS) throw refusal("parent", "not_allowed", tooDeep);
  const checked = names.map((name) => checkedCategory({ name }).name);
  const wanted = checked.map(slugify);
  const [[{ count } = { count: 0 }], ...taken] = await inOneGo([
    readingOf(db)<{ count: number }>("SELECT count(*)::int FROM categories"),
    ...wanted.map((slug) => takenSlugs(db, slug)),
  ]);
  if (count + names.length > MOST_CATEGORIES) throw tooManyCategories();
  const used = new Set(taken.flatMap((slugs) => [...slugs]));
  const path: { id: string; name: string }[] = [...above];
  const rows = checked.map((name, index) => {
    const slug = firstFree(wanted[index]!, used);
    used.add(slug);
    const row = { id: randomUUID(), parent_id: path.at(-1)?.id ?? null, name, slug };
    path.push(row);
    return row;
  });
  const parentId = above.at(-1)?.id ?? null;
  await inOneGo([
    // Also numbers the level. Categories without a sequence would otherwise come after the new one.
    db.$executeRawUnsafe(
      `WITH level AS (
       SELECT c.id, row_number() OVER (ORDER BY ${treeOrder}) AS place
       FROM categories c
       WHERE c.parent_id = $2::uuid OR ($2::uuid IS NULL AND c.parent_id IS NULL)
     ), placed AS (
       UPDATE categories c SET sequence = l.place FROM level l WHERE c.id = l.id AND c.sequence IS DISTINCT FROM l.place
     )
     INSERT INTO categories (id, parent_id, name, slug, sequence)
     SELECT id, parent_id, name, slug,
       CASE WHEN parent_id IS NOT DISTINCT FROM $2::uuid THEN (SELECT count(*) FROM level) + 1 ELSE 1 END
     FROM jsonb_to_recordset($1::jsonb) AS g(id uuid, parent_id uuid, name text, slug text)`,
      JSON.stringify(rows),
      parentId,
    ),
    db.$executeRawUnsafe(
      "DELETE FROM redirects WHERE from_path = ANY($1::text[])",
      rows.map(({ slug }) => pathOf(slug)),
    ),
    recordAudits(
      db,
      actor,
      "category.created",
      rows.map(({ id, name, slug }, index) => ({
        subject: subjectOf({ id, name }),
        details: { slug, parent: path[above.length + index - 1]?.name ?? "the top", visibility: "inherit" },
      })),
    ),
  ]);
  return rows.map(({ id, name }) => ({ id, name }));
}

/**
 * Changes the present fields of a category. The old URL redirects to the new one.
 * @param seen the category's `seen` when the person looked at it. If absent, nothing is compared
 * @throws InvalidError naming the fields, and when someone has changed the category since
 */
export async function updateCategory(
  db: Db,
  id: string,
  changes: Partial<CategoryFields>,
  actor: Actor,
  seen?: number,
): Promise<{ id: string; name: string; slug: string; seen: number }> {
  const checked = checkedCategory(changes);
  const tree = await CategoryTree.lock(db);
  const { seen: now, ...before } = tree.get(id);
  if (seen !== undefined && seen !== now) {
    throw refusal(
      "",
      "not_allowed",
      `Not saved. Someone else changed “${before.name}.” Reload the page, then make your change again.`,
    );
  }
  const stored = await db.category.findFirstOrThrow({ where: { id: before.id }, select: { description: true } });
  const name = checked.name ?? before.name;
  const after = {
    name,
    slug: checked.slug === "" ? await freeSlug(db, slugify(name), before.id) : (checked.slug ?? before.slug),
    visibility: checked.visibility ?? before.visibility,
    description: checked.description === undefined ? stored.description : checked.description || null,
  };
  const old = { ...before, description: stored.description };
  const changed = (["name", "slug", "visibility", "description"] as const).filter(
    (field) => after[field] !== old[field],
  );
  if (changed.length === 0) return { id: before.id, name, slug: after.slug, seen: now };
  if (after.name !== before.name && (await fewArticles(db, before.id))) await lockWithArticles(db, before.id);
  // Two changes within one millisecond must differ.
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

export function pathOf(slug: string): string {
  return `/categories/${slug}`;
}

export async function leadTo(db: Db, paths: readonly string[], categoryId: string): Promise<void> {
  await db.redirect.deleteMany({ where: { fromPath: { in: [...paths] } } });
  await db.redirect.createMany({ data: paths.map((fromPath) => ({ fromPath, kind: "category", categoryId })) });
}

async function freeAddress(db: Db, slug: string): Promise<void> {
  await db.redirect.deleteMany({ where: { fromPath: pathOf(slug) } });
}

/** The first free slug: `wanted`, or `wanted` with a number from 2 on. */
export async function freeSlug(db: Db, wanted: string, id: string | null = null): Promise<string> {
  return firstFree(wanted, await takenSlugs(db, wanted, id));
}

/** The slugs that categories other than one have or had, of those that begin like `wanted`. */
async function takenSlugs(db: Db, wanted: string, id: string | null = null): Promise<ReadonlySet<string>> {
  const rows = await readingOf(db)<{ slug: string }>(
    `SELECT slug FROM categories WHERE id IS DISTINCT FROM $1::uuid AND starts_with(slug, $2)
     UNION ALL SELECT substr(from_path, 13) FROM redirects
     WHERE starts_with(from_path, '/categories/' || $2) AND category_id IS DISTINCT FROM $1::uuid`,
    [id, wanted.slice(0, 90)],
  );
  return new Set(rows.map(({ slug }) => slug));
}

function firstFree(wanted: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? "" : `-${number}`;
    const slug = wanted.slice(0, 100 - suffix.length).replace(/-+$/, "") + suffix;
    if (!taken.has(slug)) return slug;
  }
}

/** More articles than this, or more bytes of text, are indexed by a job: a request would take too long. */
const MOST_IN_CHANGE = 200;
const MOST_BYTES_IN_CHANGE = 300_000;

/**
 * Searches find articles by the name of their category.
 * @param only those that changed, by default all. Waiting for others could be a deadlock
 */
export async function reindexCategory(
  db: Db,
  categoryId: string,
  only: readonly { id: string }[] | null = null,
): Promise<void> {
  const articles = await fewArticles(db, categoryId, only);
  if (articles) await reindexArticles(db, articles);
  else await enqueue(db, "reindex_category", { categoryId });
}

/** The ids, or null if they are too many to index in a request. */
async function fewArticles(
  db: Db,
  categoryId: string,
  only: readonly { id: string }[] | null = null,
): Promise<string[] | null> {
  const articles = await readingOf(db)<{ id: string; bytes: number }>(
    `SELECT a.id::text, octet_length(coalesce(l.text, d.text, '')) AS bytes FROM articles a
     LEFT JOIN article_live l ON l.workspace_id = a.workspace_id AND l.id = a.id
     LEFT JOIN article_drafts d ON d.workspace_id = a.workspace_id AND d.id = a.id
     WHERE a.category_id = $1::uuid AND ($3::uuid[] IS NULL OR a.id = ANY($3::uuid[])) LIMIT $2`,
    [categoryId, MOST_IN_CHANGE + 1, only?.map(({ id }) => id) ?? null],
  );
  const bytes = articles.reduce((sum, one) => sum + one.bytes, 0);
  return articles.length > MOST_IN_CHANGE || bytes > MOST_BYTES_IN_CHANGE ? null : articles.map(({ id }) => id);
}

const slugTaken = () => refusal("slug", "taken", "Another category has this slug. Choose another one.");
