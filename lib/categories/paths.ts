import type { Actor } from "@/lib/audit/audit";
import { createCategory } from "@/lib/categories/changes";
import { refusal } from "@/lib/categories/fields";
import { lockCategories } from "@/lib/categories/tree";
import { type Db, type Read, readingOf } from "@/lib/db";

/** A category by its id, or by the names from the top level down. */
export type NamedCategory = { id: string } | { path: readonly string[]; create: boolean };

interface Found {
  id: string;
  name: string;
}

/**
 * Finds a category, and creates missing categories of its path if asked to.
 * @throws InvalidError about `categoryId` or `categoryPath`
 */
export async function categoryAt(db: Db, named: NamedCategory, actor: Actor): Promise<Found> {
  const read = readingOf(db);
  if ("id" in named) {
    const category = await lockedCategory(read, named.id);
    if (!category) throw refusal("categoryId", "not_found", "This category doesn't exist. Check the id.");
    return category;
  }
  const path = named.path.map((name) => name.normalize("NFC").trim());
  let known = await knownPart(read, path);
  if (known.length < path.length && named.create) {
    await lockCategories(db);
    known = await knownPart(read, path);
    for (const name of path.slice(known.length)) {
      const parentId = known.at(-1)?.id ?? null;
      const { id } = await createCategory(db, { name, parentId }, actor);
      known.push({ id, name });
    }
  }
  const category = known.at(-1);
  const isFound = category && known.length === path.length && (await lockedCategory(read, category.id)) !== null;
  if (isFound) return category;
  const missing = path.slice(0, known.length + 1).join(" / ");
  throw refusal(
    "categoryPath",
    "not_found",
    `The category ${missing} doesn't exist. Send create_categories: true to create it.`,
  );
}

/** Keeps a category from being deleted until the transaction ends. Null if it was. */
async function lockedCategory(read: Read, id: string): Promise<Found | null> {
  const sql = "SELECT id::text, name FROM categories WHERE id = $1::uuid FOR KEY SHARE";
  const [category] = await read<Found>(sql, [id]);
  return category ?? null;
}

/**
 * The existing categories at the start of a path. Where names repeat, those that match more of the path win, then those with
 * exactly these names, the higher levels first. Otherwise, case doesn't matter.
 */
async function knownPart(read: Read, path: readonly string[]): Promise<Found[]> {
  // OFFSET 0 has each step read the categories below one, by index. Otherwise, it would read all categories.
  const [found] = await read<{ ids: string[]; names: string[] }>(
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
     )
     SELECT ids::text[], names FROM step ORDER BY cardinality(ids) DESC, differ, places, ids LIMIT 1`,
    [path],
  );
  return (found?.ids ?? []).map((id, index) => ({ id, name: found?.names[index] ?? "" }));
}
