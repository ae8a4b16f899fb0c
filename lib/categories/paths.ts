import type { Actor } from "@/lib/audit/audit";
import { createCategoriesBelow } from "@/lib/categories/changes";
import { refusal } from "@/lib/categories/fields";
import { lockCategories } from "@/lib/categories/tree";
import { type Db, inOneGo, type Read, readingOf } from "@/lib/db";

/** A category by its id, or by the names from the top level down. */
export type NamedCategory = { id: string } | { path: readonly string[]; create: boolean };

export interface FoundCategory {
  id: string;
  name: string;
}

export interface LookedUp {
  category: FoundCategory | null;
  /** The existing part of a path. */
  above: FoundCategory[];
}

/**
 * Finds a category, and creates missing categories of its path if asked to.
 * @param isTreeLocked whether the transaction has called lockCategories
 * @param found what was found since then, unless a category was created after that
 * @throws InvalidError about `categoryId` or `categoryPath`
 */
export async function categoryAt(
  db: Db,
  named: NamedCategory,
  actor: Actor,
  isTreeLocked = false,
  found?: LookedUp,
): Promise<FoundCategory> {
  let { category, above } = found ?? (await lookUpCategory(db, named));
  if (category) return category;
  if ("id" in named) throw refusal("categoryId", "not_found", "This category doesn't exist. Check the ID.");
  const path = partsOf(named.path);
  if (named.create) {
    if (!isTreeLocked) [, { category, above }] = await inOneGo([lockCategories(db), lookUpCategory(db, named)]);
    if (category) return category;
    // Part of the path is missing, because nobody deletes a category while the tree is locked.
    const created = await createCategoriesBelow(db, above, path.slice(above.length), actor);
    return created.at(-1)!;
  }
  const missing = path.slice(0, above.length + 1).join(" / ");
  throw refusal(
    "categoryPath",
    "not_found",
    `The category ${missing} doesn't exist. Send create_categories: true to create it.`,
  );
}

/** Looks for a category, and locks it against deletion until the transaction ends. */
export async function lookUpCategory(db: Db, named: NamedCategory): Promise<LookedUp> {
  const read = readingOf(db);
  if ("id" in named) {
    const sql = "SELECT id::text, name FROM categories WHERE id = $1::uuid FOR KEY SHARE";
    const [category] = await read<FoundCategory>(sql, [named.id]);
    return { category: category ?? null, above: [] };
  }
  const { above, isLocked } = await knownPart(read, partsOf(named.path));
  return { category: isLocked ? (above.at(-1) ?? null) : null, above };
}

const partsOf = (path: readonly string[]) => path.map((name) => name.normalize("NFC").trim());

/**
 * The existing categories at the start of a path. Where names repeat, those that match more of the path win, then those with
 * exactly these names, the higher levels first. Otherwise, case doesn't matter. If the whole path exists, its last
 * category is locked, unless it was deleted meanwhile. Others aren't, because deletion locks the tree before any category.
 */
async function knownPart(read: Read, path: readonly string[]): Promise<{ above: FoundCategory[]; isLocked: boolean }> {
  // OFFSET 0 has each step read the categories below one, by index. Otherwise, it would read all categories.
  const [found] = await read<{ ids: string[]; names: string[]; isLocked: boolean }>(
    `WITH RECURSIVE step AS (
       SELECT ARRAY[c.id] AS ids, ARRAY[c.name] AS names, ARRAY[c.name <> ($1::text[])[1]] AS differ,
         ARRAY[coalesce(c.sequence, 2147483647)] AS places
       FROM categories c WHERE c.parent_id IS NULL AND lower(c.name) = lower(($1::text[])[1])
       UNION ALL
       SELECT s.ids || c.id, s.names || c.name, s.differ || (c.name <> w.name), s.places || coalesce(c.sequence, 2147483647)
       FROM step s
       CROSS JOIN LATERAL (SELECT ($1::text[])[cardinality(s.ids) + 1] AS name) w
       CROSS JOIN LATERAL (
         SELECT id, name, sequence FROM categories WHERE parent_id = s.ids[cardinality(s.ids)] OFFSET 0
       ) c
       WHERE lower(c.name) = lower(w.name)
     ), best AS (
       SELECT ids, names FROM step ORDER BY cardinality(ids) DESC, differ, places, ids LIMIT 1
     ), locked AS (
       SELECT id FROM categories
       WHERE id = (SELECT ids[cardinality(ids)] FROM best WHERE cardinality(ids) = cardinality($1::text[])) FOR KEY SHARE
     )
     SELECT ids::text[], names, EXISTS (SELECT FROM locked) AS "isLocked" FROM best`,
    [path],
  );
  const above = (found?.ids ?? []).map((id, index) => ({ id, name: found?.names[index] ?? "" }));
  return { above, isLocked: found?.isLocked ?? false };
}
