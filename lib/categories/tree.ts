import { z } from "zod";
import type { CategoryVisibility } from "@/lib/categories/fields";
import { type Db, type Read, readingOf } from "@/lib/db";
import { InvalidError, NotFoundError } from "@/lib/errors";

/** A category as those see it who put the tree in order. */
export interface TreeCategory {
  id: string;
  parentId: string | null;
  name: string;
  slug: string;
  visibility: CategoryVisibility;
  /** Articles of its own that readers see. */
  published: number;
  /** Articles of its own that were never published, or no longer are. */
  drafts: number;
  /** When one of its fields was last changed, in ms: who changes it says what they saw. */
  seen: number;
}

/** A category with all that can be changed of it. */
export interface CategoryDetails extends TreeCategory {
  description: string | null;
}

const treeOrder = "c.sequence NULLS LAST, c.name, c.id";
const columns = `c.id::text, c.parent_id::text AS "parentId", c.name, c.slug, c.visibility,
  floor(extract(epoch FROM c.updated_at) * 1000)::float8 AS seen`;

/** The most levels a category's place may have (contract 48). */
export const MOST_LEVELS = 6;

/** The most categories of a workspace, so that the whole tree is read and drawn in one go. */
export const MOST_CATEGORIES = 10_000;

/** What whoever makes one more is told. */
export function tooManyCategories(): InvalidError {
  const message = `This knowledge base has ${MOST_CATEGORIES.toLocaleString("en")} categories, as many as there can be: delete one, or merge two, first.`;
  return new InvalidError([{ field: "", code: "not_allowed", message }]);
}

/** Every category, those of one level in their order; whose place is below another may come before it. One statement. */
export function listCategoryTree(read: Read): Promise<TreeCategory[]> {
  return read(
    `SELECT ${columns}, coalesce(n.published, 0) AS published, coalesce(n.drafts, 0) AS drafts
     FROM categories c
     LEFT JOIN (
       SELECT category_id, (count(*) FILTER (WHERE state = 'published'))::int AS published,
         (count(*) FILTER (WHERE state <> 'published'))::int AS drafts
       FROM articles GROUP BY category_id
     ) n ON n.category_id = c.id
     ORDER BY ${treeOrder}`,
  );
}

/** @returns null when there is no such category */
export async function findCategoryDetails(read: Read, id: string): Promise<CategoryDetails | null> {
  if (!z.guid().safeParse(id).success) return null;
  const [category] = await read<CategoryDetails>(
    `SELECT ${columns}, c.description,
       (SELECT count(*)::int FROM articles a WHERE a.category_id = c.id AND a.state = 'published') AS published,
       (SELECT count(*)::int FROM articles a WHERE a.category_id = c.id AND a.state <> 'published') AS drafts
     FROM categories c WHERE c.id = $1::uuid`,
    [id],
  );
  return category ?? null;
}

/** An article in the order of its category. */
export interface OrderedArticle {
  id: string;
  title: string;
  state: "draft" | "published";
}

/** The first articles of a category, as readers see them ordered, drafts among them. */
export function listOrderedArticles(read: Read, categoryId: string, limit: number): Promise<OrderedArticle[]> {
  return read(
    `SELECT id::text, title, state FROM articles WHERE category_id = $1::uuid ORDER BY sequence, title, id LIMIT $2`,
    [categoryId, limit],
  );
}

/** Every category with its place, as whoever changes places wants to know it. */
export class Places {
  private constructor(
    private readonly rows: Placed[],
    private readonly membersOnly: boolean,
  ) {}

  /** Nobody else changes a place, and none is made or removed, until the transaction ends. */
  static async lock(db: Db): Promise<Places> {
    // The lock of the trigger that decides about places.
    await db.$executeRaw`
      SELECT pg_advisory_xact_lock(hashtextextended('categories ' || current_setting('app.workspace_id'), 0))`;
    const read = readingOf(db);
    const rows = await read<Placed>(`SELECT ${columns}, c.sequence FROM categories c ORDER BY ${treeOrder}`);
    const [workspace] = await read<{ visibility: string }>("SELECT visibility FROM workspaces");
    return new Places(rows, workspace?.visibility === "members");
  }

  /** @throws InvalidError where there are as many categories as there can be */
  refuseMore(): void {
    if (this.rows.length >= MOST_CATEGORIES) throw tooManyCategories();
  }

  /** @throws NotFoundError when there is no such category */
  get(id: string): Placed {
    const row = this.find(id);
    if (!row) throw new NotFoundError("This category is not there any more: somebody has deleted it.");
    return row;
  }

  find(id: string | null): Placed | undefined {
    return this.rows.find((row) => row.id === id?.toLowerCase());
  }

  /** In their order. */
  childrenOf(id: string | null): Placed[] {
    return this.rows.filter(({ parentId }) => parentId === id);
  }

  /** From the root to the category, itself included; empty for the top. */
  pathTo(id: string | null): Placed[] {
    const row = this.find(id);
    return row ? [...this.pathTo(row.parentId), row] : [];
  }

  /** How many levels there are from a category down, itself included. */
  heightOf(id: string): number {
    return 1 + Math.max(0, ...this.childrenOf(id).map((child) => this.heightOf(child.id)));
  }

  /** Whether it is for members alone, by itself or by what is above it (lib/visibility.ts); of the top, the workspace. */
  isClosed(id: string | null): boolean {
    const path = this.pathTo(id);
    const [root] = path;
    if (!root) return this.membersOnly;
    const first = root.visibility === "inherit" ? this.membersOnly : root.visibility === "members";
    return first || path.some(({ visibility }) => visibility === "members");
  }
}

type Placed = Omit<TreeCategory, "published" | "drafts"> & { sequence: number | null };
