import { randomUUID } from "node:crypto";
import type { Db } from "@/lib/db";
import type { ExistingCategory } from "@/lib/import/existing";
import type { CategorySettings } from "@/lib/import/front-matter";
import { isFormOf, type SlugBook, wantedSlug } from "@/lib/import/slugs";
import { reindexArticles } from "@/lib/search/reindex";

/** What a folder becomes. */
export interface PlannedCategory {
  /** The folder's path; "" for the files that are in none. */
  folder: string;
  id: string;
  parentId: string | null;
  name: string;
  slug: string;
  settings: CategorySettings;
  /** What there is of it already. */
  before: ExistingCategory | null;
}

/** The deepest a category may be, counted from 1 (contract 48). */
const MOST_LEVELS = 6;
/** The name of the category for files in no folder. */
const GENERAL = "General";

/** Finds out which category each folder is, and plans those that do not exist. */
export class CategoryPlan {
  private readonly bySource = new Map<string, ExistingCategory>();
  private readonly byId = new Map<string, ExistingCategory>();
  private readonly madeIds = new Set<string>();
  private readonly planned = new Map<string, { category: PlannedCategory; level: number }>();

  constructor(
    existing: readonly ExistingCategory[],
    private readonly settings: ReadonlyMap<string, CategorySettings>,
    private readonly slugs: SlugBook,
  ) {
    for (const category of existing) {
      this.byId.set(category.id, category);
      if (category.sourcePath !== null) this.bySource.set(category.sourcePath, category);
    }
  }

  /** The category of a folder; below six levels, that of the sixth folder above it. */
  of(folder: string): PlannedCategory {
    return this.plan(folder).category;
  }

  all(): PlannedCategory[] {
    return [...new Set([...this.planned.values()].map(({ category }) => category))];
  }

  /** Those that are still to be made for these, or for all, each after the one above it. */
  missing(wanted: readonly PlannedCategory[] = this.all()): PlannedCategory[] {
    const found = new Set<PlannedCategory>();
    const visit = (category: PlannedCategory) => {
      if (category.before || this.madeIds.has(category.id)) return;
      const above =
        category.folder.includes("/") && this.of(category.folder.slice(0, category.folder.lastIndexOf("/")));
      if (above) visit(above);
      found.add(category);
    };
    for (const category of wanted) visit(category);
    return [...found];
  }

  /** These exist from now on. */
  made(categories: readonly PlannedCategory[]): void {
    for (const { id } of categories) this.madeIds.add(id);
  }

  /** Folder → slug, for links to folders. */
  addresses(): Map<string, string> {
    return new Map([...this.planned].map(([folder, { category }]) => [folder, category.slug]));
  }

  private plan(folder: string): { category: PlannedCategory; level: number } {
    const known = this.planned.get(folder);
    if (known) return known;
    const slash = folder.lastIndexOf("/");
    const above = slash < 0 ? null : this.plan(folder.slice(0, slash));
    const before = this.bySource.get(folder) ?? null;
    const level = before ? this.levelOf(before) : (above?.level ?? 0) + 1;
    const result =
      above && level > MOST_LEVELS && !before
        ? above
        : { category: this.planOne(folder, above?.category ?? null, before), level };
    this.planned.set(folder, result);
    return result;
  }

  private planOne(folder: string, above: PlannedCategory | null, before: ExistingCategory | null): PlannedCategory {
    const settings = this.settings.get(folder) ?? {};
    const id = before?.id ?? randomUUID();
    const name = settings.name ?? before?.name ?? nameOf(folder);
    const wanted = wantedSlug(settings.slug, name);
    const keeps = before && (settings.slug === undefined || isFormOf(before.slug, wanted));
    return {
      folder,
      id,
      // Somebody may have moved it: that stays.
      parentId: before ? before.parentId : (above?.id ?? null),
      name,
      slug: keeps ? before.slug : this.slugs.take(wanted, id),
      settings,
      before,
    };
  }

  private levelOf(category: ExistingCategory): number {
    let level = 1;
    for (let id = category.parentId; id !== null && level < 100; level++) id = this.byId.get(id)?.parentId ?? null;
    return level;
  }
}

function nameOf(folder: string): string {
  const name = folder
    .slice(folder.lastIndexOf("/") + 1)
    .replace(/\p{Cc}+/gu, " ")
    .trim();
  return name === "" ? GENERAL : [...name].slice(0, 100).join("");
}

/** Makes categories; parents must be there or come before their children. */
export async function createCategories(db: Db, categories: readonly PlannedCategory[]): Promise<void> {
  if (categories.length === 0) return;
  const rows = categories.map(({ id, parentId, name, slug, folder, settings }) => ({
    id,
    parent_id: parentId,
    name,
    slug,
    source_path: folder,
    description: settings.description ?? null,
    sequence: settings.sequence ?? null,
    visibility: settings.visibility ?? "inherit",
  }));
  await db.$executeRawUnsafe(
    `INSERT INTO categories (id, parent_id, name, slug, source_path, description, sequence, visibility)
     SELECT id, parent_id, name, slug, source_path, description, sequence, visibility
     FROM jsonb_to_recordset($1::jsonb) AS g(id uuid, parent_id uuid, name text, slug text, source_path text,
       description text, sequence integer, visibility text)`,
    JSON.stringify(rows),
  );
  await freeAddresses(db, categories.map(({ slug }) => slug)); // biome-ignore format: a short list
}

/**
 * Brings a category to what its `_category.yml` says. Where the file says nothing, what people made of it stays.
 * @returns whether anything changed
 */
export async function updateCategory(db: Db, planned: PlannedCategory): Promise<boolean> {
  const { before, id, name, slug, settings } = planned;
  if (!before) return false;
  const after = {
    name,
    slug,
    description: settings.description ?? before.description,
    sequence: settings.sequence ?? before.sequence,
    visibility: settings.visibility ?? before.visibility,
  };
  if (Object.entries(after).every(([field, value]) => before[field as keyof ExistingCategory] === value)) return false;
  await db.category.updateMany({ where: { id }, data: { ...after, updatedAt: new Date() } });
  if (slug !== before.slug) {
    await freeAddresses(db, [slug]);
    const fromPath = `/categories/${before.slug}`;
    await db.redirect.deleteMany({ where: { fromPath } });
    await db.redirect.create({ data: { fromPath, kind: "category", categoryId: id } });
  }
  if (name !== before.name) {
    // The name is among the words by which its articles are found.
    const articles = await db.article.findMany({ where: { categoryId: id }, select: { id: true } });
    await reindexArticles(db, articles.map((article) => article.id)); // biome-ignore format: a short list
  }
  return true;
}

/** What now is the address of a category leads nowhere else. */
async function freeAddresses(db: Db, slugs: string[]): Promise<void> {
  await db.redirect.deleteMany({ where: { fromPath: { in: slugs.map((slug) => `/categories/${slug}`) } } });
}
