import { z } from "zod";
import type { CategoryVisibility } from "@/lib/categories/fields";
import { type Db, type Read, readingOf } from "@/lib/db";
import { InvalidError, NotFoundError } from "@/lib/errors";
import { workspaceLimits } from "@/lib/limits";

export interface TreeCategory {
  id: string;
  parentId: string | null;
  name: string;
  slug: string;
  visibility: CategoryVisibility;
  published: number;
  drafts: number;
  /** The last change in milliseconds. A save names it, so that it cannot overwrite an unseen change. */
  seen: number;
}

export interface CategoryDetails extends TreeCategory {
  description: string | null;
}

export const treeOrder = "c.sequence NULLS LAST, c.name, c.id";
const columns = `c.id::text, c.parent_id::text AS "parentId", c.name, c.slug, c.visibility,
  floor(extract(epoch FROM c.updated_at) * 1000)::float8 AS seen`;

export const MOST_LEVELS = workspaceLimits.categoryLevels;
export const MOST_CATEGORIES = workspaceLimits.categories;

export function tooManyCategories(): InvalidError {
  const message = `This knowledge base has ${MOST_CATEGORIES.toLocaleString("en")} categories, which is the maximum. Delete or merge some first.`;
  return new InvalidError([{ field: "", code: "not_allowed", message }]);
}

/** Siblings come in order, but a category may come before its parent. */
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

export interface OrderedArticle {
  id: string;
  title: string;
  state: "draft" | "published";
}

/** Includes drafts. */
export function listOrderedArticles(read: Read, categoryId: string, limit: number): Promise<OrderedArticle[]> {
  return read(
    `SELECT id::text, title, state FROM articles WHERE category_id = $1::uuid ORDER BY sequence, title, id LIMIT $2`,
    [categoryId, limit],
  );
}

/** Nobody else creates, moves or deletes a category until the transaction ends. */
export async function lockCategories(db: Db): Promise<void> {
  // The trigger that checks positions takes the same lock.
  await db.$executeRaw`
    SELECT pg_advisory_xact_lock(hashtextextended('categories ' || current_setting('app.workspace_id'), 0))`;
}

export class CategoryTree {
  private readonly byId = new Map<string, Placed>();
  private readonly children = new Map<string | null, Placed[]>();

  private constructor(
    rows: readonly Placed[],
    private readonly membersOnly: boolean,
  ) {
    for (const row of rows) {
      this.byId.set(row.id, row);
      const siblings = this.children.get(row.parentId);
      if (siblings) siblings.push(row);
      else this.children.set(row.parentId, [row]);
    }
  }

  /** Locked like lockCategories. */
  static async lock(db: Db): Promise<CategoryTree> {
    await lockCategories(db);
    const read = readingOf(db);
    const rows = await read<Placed>(`SELECT ${columns}, c.sequence FROM categories c ORDER BY ${treeOrder}`);
    const [workspace] = await read<{ visibility: string }>("SELECT visibility FROM workspaces");
    return new CategoryTree(rows, workspace?.visibility === "members");
  }

  /** @throws InvalidError above MOST_CATEGORIES */
  refuseMore(): void {
    if (this.byId.size >= MOST_CATEGORIES) throw tooManyCategories();
  }

  get(id: string): Placed {
    const row = this.find(id);
    if (!row) throw new NotFoundError("This category was deleted.");
    return row;
  }

  find(id: string | null): Placed | undefined {
    return id === null ? undefined : this.byId.get(id.toLowerCase());
  }

  /** In order. */
  childrenOf(id: string | null): readonly Placed[] {
    return this.children.get(id) ?? [];
  }

  pathTo(id: string | null): Placed[] {
    const row = this.find(id);
    return row ? [...this.pathTo(row.parentId), row] : [];
  }

  heightOf(id: string): number {
    return 1 + Math.max(0, ...this.childrenOf(id).map((child) => this.heightOf(child.id)));
  }

  /** Whether only members may read a category (lib/visibility.ts). Null stands for the workspace. */
  isClosed(id: string | null): boolean {
    const path = this.pathTo(id);
    const [root] = path;
    if (!root) return this.membersOnly;
    const first = root.visibility === "inherit" ? this.membersOnly : root.visibility === "members";
    return first || path.some(({ visibility }) => visibility === "members");
  }
}

type Placed = Omit<TreeCategory, "published" | "drafts"> & { sequence: number | null };
