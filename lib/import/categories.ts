import { randomUUID } from "node:crypto";
import { type Actor, recordAudit } from "@/lib/audit/audit";
import { leadTo, pathOf, reindexCategory } from "@/lib/categories/changes";
import { subjectOf } from "@/lib/categories/places";
import { MOST_CATEGORIES, MOST_LEVELS, tooManyCategories } from "@/lib/categories/tree";
import type { Db } from "@/lib/db";
import { categoryState, isEdited } from "@/lib/import/edited";
import type { Existing, ExistingCategory } from "@/lib/import/existing";
import type { CategorySettings } from "@/lib/import/front-matter";
import { isFormOf, type SlugBook, wantedSlug } from "@/lib/import/slugs";

/** A `_category.yml` or its readable part, with a hash of its bytes. */
export type FolderSettings = CategorySettings & { hash?: string };

export interface PlannedCategory {
  /** "" for files in no folder. */
  folder: string;
  id: string;
  parentId: string | null;
  name: string;
  slug: string;
  visibility: ExistingCategory["visibility"];
  settings: FolderSettings;
  existing: ExistingCategory | null;
  /** The fields of an existing category that the file changes. */
  changes: Partial<Pick<ExistingCategory, Field>>;
}

const fields = ["name", "slug", "description", "sequence", "visibility"] as const;
type Field = (typeof fields)[number];

const GENERAL = "General";

interface Plan {
  category: PlannedCategory;
  level: number;
  /** Whether the folder is too deep, so that this is the category of a folder above. */
  isFlattened: boolean;
}

export class CategoryPlan {
  /** Folders whose file would let more people read a category that no import created. These stay closed. */
  readonly keptClosed: string[] = [];
  /** Folders whose file changed although the category was edited here. */
  readonly edited: string[] = [];
  private readonly byId = new Map<string, ExistingCategory>();
  private readonly claims = new Map<string, ExistingCategory>();
  private readonly folderOf = new Map<string, string>();
  private readonly planned = new Map<string, Plan>();
  private readonly createdById = new Map<string, PlannedCategory>();
  private readonly storedIds = new Set<string>();

  constructor(
    private readonly existing: Existing,
    private readonly source: {
      folders: Iterable<string>;
      settings: ReadonlyMap<string, FolderSettings>;
      slugs: SlugBook;
      isExport: boolean;
    },
  ) {
    for (const category of existing.categories) this.byId.set(category.id, category);
    const folders = new Set(source.folders);
    for (const folder of [...folders]) for (const path of above(folder)) folders.add(path);
    const sorted = [...folders].sort();
    this.claim(sorted, folders);
    for (const folder of sorted) this.plan(folder);
    for (const [folder, { category }] of this.planned) this.keepClosed(folder, category);
  }

  /**
   * The category of a folder is, in an export, the one whose slug the folder names, else the one imported from its path, else
   * one with its slug whose folder is gone. A category belongs to one folder at most.
   */
  private claim(sorted: readonly string[], folders: ReadonlySet<string>): void {
    const { categories } = this.existing;
    const byPath = new Map(categories.map((category) => [category.sourcePath, category]));
    const bySlug = new Map(categories.map((category) => [category.slug, category]));
    const take = (folder: string, category: ExistingCategory | undefined) => {
      if (!category || this.claims.has(folder) || this.folderOf.has(category.id)) return;
      this.claims.set(folder, category);
      this.folderOf.set(category.id, folder);
    };
    const named = (folder: string) => bySlug.get(this.source.settings.get(folder)?.slug ?? "");
    if (this.source.isExport) for (const folder of sorted) take(folder, named(folder));
    for (const folder of sorted) take(folder, byPath.get(folder));
    for (const folder of sorted) {
      const path = named(folder)?.sourcePath ?? null;
      if (path !== null && !folders.has(path)) take(folder, named(folder));
    }
  }

  /** Below six levels, the category of the sixth folder above. */
  forFolder(folder: string): PlannedCategory {
    return this.plan(folder).category;
  }

  isFlattened(folder: string): boolean {
    return this.plan(folder).isFlattened;
  }

  withId(id: string): PlannedCategory {
    const folder = this.folderOf.get(id);
    if (folder !== undefined) return this.forFolder(folder);
    const category = this.byId.get(id) as ExistingCategory;
    const { parentId, name, slug, visibility } = category;
    return { folder: "", id, parentId, name, slug, visibility, settings: {}, existing: category, changes: {} };
  }

  /** Drops planned categories that nothing needs, because all their articles were moved here. */
  settle(used: Iterable<PlannedCategory>, folders: Iterable<string>): void {
    const needed = new Set<PlannedCategory>();
    const need = (category: PlannedCategory) => {
      if (category.existing || needed.has(category)) return;
      needed.add(category);
      for (const path of above(category.folder)) need(this.forFolder(path));
    };
    for (const category of used) need(category);
    const withArticles = new Set<string>();
    for (const folder of folders) for (const path of [folder, ...above(folder)]) withArticles.add(path);
    for (const folder of this.source.settings.keys()) if (!withArticles.has(folder)) need(this.forFolder(folder));
    for (const [folder, { category }] of this.planned) {
      if (!category.existing && !needed.has(category)) this.planned.delete(folder);
    }
  }

  /** Drops new categories beyond the limit, with everything below them, and returns them. */
  leaveOut(): ReadonlySet<PlannedCategory> {
    const room = Math.max(0, MOST_CATEGORIES - this.existing.categories.length);
    const left = new Set(this.missing().slice(room));
    for (const [folder, { category }] of this.planned) if (left.has(category)) this.planned.delete(folder);
    return left;
  }

  all(): PlannedCategory[] {
    return [...new Set([...this.planned.values()].map(({ category }) => category))];
  }

  /** New categories, each after its parent. */
  missing(wanted: readonly PlannedCategory[] = this.all()): PlannedCategory[] {
    const found = new Set<PlannedCategory>();
    const visit = (category: PlannedCategory) => {
      if (category.existing || this.storedIds.has(category.id)) return;
      const [parent] = above(category.folder);
      if (parent !== undefined) visit(this.forFolder(parent));
      found.add(category);
    };
    for (const category of wanted) visit(category);
    return [...found];
  }

  markStored(categories: readonly PlannedCategory[]): void {
    for (const { id } of categories) this.storedIds.add(id);
  }

  addresses(): Map<string, string> {
    return new Map([...this.planned].map(([folder, { category }]) => [folder, category.slug]));
  }

  /** Whether only members can read a category (lib/visibility.ts). */
  isClosed(id: string, when: "before" | "after"): boolean {
    const path: ExistingCategory["visibility"][] = [];
    for (let at: string | null = id; at !== null && path.length < 100; ) {
      const existing = this.byId.get(at);
      const folder = this.folderOf.get(at);
      const planned: PlannedCategory | undefined =
        folder === undefined ? this.createdById.get(at) : this.planned.get(folder)?.category;
      const category: Pick<ExistingCategory, "visibility" | "parentId"> | undefined =
        when === "before" ? (existing ?? planned) : (planned ?? existing);
      path.push(category?.visibility ?? "inherit");
      at = category?.parentId ?? null;
    }
    const root = path.at(-1) ?? "inherit";
    return (root === "inherit" ? this.existing.isClosed : root === "members") || path.includes("members");
  }

  /** Folders whose file lets more people read their category than before. */
  opened(): string[] {
    const isOpened = ({ existing, changes, id }: PlannedCategory) =>
      existing !== null && changes.visibility !== undefined && this.opens(id);
    return this.all()
      .filter(isOpened)
      .map(({ folder }) => folder);
  }

  private opens(id: string): boolean {
    return this.isClosed(id, "before") && !this.isClosed(id, "after");
  }

  private keepClosed(folder: string, category: PlannedCategory): void {
    const { existing, changes, id } = category;
    if (!existing || existing.sourceState !== null || changes.visibility === undefined || !this.opens(id)) return;
    category.visibility = existing.visibility;
    delete changes.visibility;
    this.keptClosed.push(folder);
  }

  private plan(folder: string): Plan {
    const known = this.planned.get(folder);
    if (known) return known;
    const result = this.planFolder(folder);
    this.planned.set(folder, result);
    return result;
  }

  private planFolder(folder: string): Plan {
    const existing = this.claims.get(folder);
    if (existing) return { category: this.known(folder, existing), level: this.levelOf(existing), isFlattened: false };
    const [parent] = above(folder);
    const over = parent === undefined ? null : this.plan(parent);
    const level = (over?.level ?? 0) + 1;
    if (over && level > MOST_LEVELS) return { ...over, isFlattened: true };
    return { category: this.created(folder, over?.category.id ?? null), level, isFlattened: false };
  }

  private created(folder: string, parentId: string | null): PlannedCategory {
    const settings = this.source.settings.get(folder) ?? {};
    const id = randomUUID();
    const name = settings.name ?? nameOf(folder);
    const category: PlannedCategory = {
      folder,
      id,
      parentId,
      name,
      settings,
      existing: null,
      changes: {},
      slug: this.source.slugs.take(wantedSlug(settings.slug, name, this.source.isExport), id),
      visibility: settings.visibility ?? (settings.isUnreadable ? "members" : "inherit"),
    };
    this.createdById.set(id, category);
    return category;
  }

  /** The file wins unless the category was edited here. The parent never changes. */
  private known(folder: string, existing: ExistingCategory): PlannedCategory {
    const settings = this.source.settings.get(folder) ?? {};
    const changes: PlannedCategory["changes"] = {};
    if (settings.hash !== undefined && settings.hash !== existing.sourceHash) {
      for (const field of fields) {
        const value = settings[field];
        if (value === undefined || existing[field] === value) continue;
        if (field !== "slug") Object.assign(changes, { [field]: value });
        else if (!isFormOf(existing.slug, wantedSlug(settings.slug, existing.name, this.source.isExport))) {
          changes.slug = value as string;
        }
      }
      const { sourceState, current } = existing;
      const requested = Object.keys(changes).length;
      if (isEdited(sourceState, current, "place")) delete changes.sequence;
      if (isEdited(sourceState, current, "content"))
        for (const field of fields) if (field !== "sequence") delete changes[field];
      if (Object.keys(changes).length < requested) this.edited.push(folder);
      if (changes.slug !== undefined) {
        const wanted = wantedSlug(settings.slug, existing.name, this.source.isExport);
        changes.slug = this.source.slugs.take(wanted, existing.id);
      }
    }
    const { id, parentId } = existing;
    const { name = existing.name, slug = existing.slug, visibility = existing.visibility } = changes;
    return { folder, id, parentId, name, slug, visibility, settings, existing, changes };
  }

  private levelOf(category: ExistingCategory): number {
    let level = 1;
    for (let id = category.parentId; id !== null && level < 100; level++) id = this.byId.get(id)?.parentId ?? null;
    return level;
  }
}

/** Nearest first. */
function above(folder: string): string[] {
  const slash = folder.lastIndexOf("/");
  return slash < 0 ? [] : [folder.slice(0, slash), ...above(folder.slice(0, slash))];
}

function nameOf(folder: string): string {
  const name = folder
    .slice(folder.lastIndexOf("/") + 1)
    .replace(/\p{Cc}+/gu, " ")
    .trim();
  return name === "" ? GENERAL : [...name].slice(0, 100).join("");
}

/** Parents must exist or come before their children. Throws InvalidError when others have used up the limit meanwhile. */
export async function createCategories(db: Db, categories: readonly PlannedCategory[]): Promise<void> {
  if (categories.length === 0) return;
  const rows = categories.map(({ id, parentId, name, slug, folder, visibility, settings }) => ({
    id,
    parent_id: parentId,
    name,
    slug,
    source_path: folder,
    source_hash: settings.hash ?? null,
    description: settings.description ?? null,
    sequence: settings.sequence ?? null,
    visibility,
  }));
  await db.$executeRawUnsafe(
    `INSERT INTO categories (id, parent_id, name, slug, source_path, source_hash, description, sequence, visibility)
     SELECT id, parent_id, name, slug, source_path, source_hash, description, sequence, visibility
     FROM jsonb_to_recordset($1::jsonb) AS g(id uuid, parent_id uuid, name text, slug text, source_path text,
       source_hash text, description text, sequence integer, visibility text)`,
    JSON.stringify(rows),
  );
  await remember(
    db,
    categories.map(({ id }) => id),
  );
  // Locks out other creators until the transaction ends (CategoryTree.lock).
  if ((await db.category.count()) > MOST_CATEGORIES) throw tooManyCategories();
  await freeAddresses(
    db,
    categories.map(({ slug }) => slug),
  );
}

/** @param kept halves that were edited here keep the state of the previous import */
async function remember(db: Db, ids: readonly string[], kept = { content: false, place: false }): Promise<void> {
  const [content, place] = [kept.content, kept.place].map((isKept) => (isKept ? "source_state" : categoryState));
  const state = `left(${content}, 32) || right(${place}, 32)`;
  await db.$executeRawUnsafe(`UPDATE categories SET source_state = ${state} WHERE id = ANY($1::uuid[])`, ids);
}

export async function updateCategories(db: Db, plan: CategoryPlan, actor: Actor): Promise<void> {
  const known = plan.all().filter(({ existing }) => existing !== null);
  const moved = known.filter(({ existing, folder }) => existing?.sourcePath !== folder).map(({ folder }) => folder);
  // A renamed folder may take the path of another one.
  await db.category.updateMany({ where: { sourcePath: { in: moved } }, data: { sourcePath: null } });
  for (const category of known) await updateCategory(db, category, plan.edited.includes(category.folder), actor);
}

async function updateCategory(db: Db, planned: PlannedCategory, isLeft: boolean, actor: Actor): Promise<void> {
  const { existing, id, folder, name, slug, settings, changes } = planned;
  if (!existing) return;
  // A file that was ignored because of an edit is reported next time, too.
  const isNews = settings.hash !== undefined && settings.hash !== existing.sourceHash && !isLeft;
  const source = {
    ...(existing.sourcePath !== folder && { sourcePath: folder }),
    ...(isNews && { sourceHash: settings.hash }),
  };
  const changed = fields.filter((field) => changes[field] !== undefined);
  if (Object.keys(source).length + changed.length === 0) return;
  // People may have changed other fields meanwhile.
  const data = { ...source, ...changes, ...(changed.length > 0 && { updatedAt: new Date() }) };
  await db.category.updateMany({ where: { id }, data });
  const { sourceState, current } = existing;
  await remember(db, [id], {
    content: isEdited(sourceState, current, "content"),
    place: isEdited(sourceState, current, "place"),
  });
  if (changes.slug !== undefined) {
    await freeAddresses(db, [slug]);
    await leadTo(db, [pathOf(existing.slug)], id);
  }
  if (changes.name !== undefined) await reindexCategory(db, id);
  const details = changed
    .filter((field) => field !== "sequence")
    .map((field) => [field, `${existing[field] ?? ""} → ${changes[field] ?? ""}`] as const);
  const subject = subjectOf({ id, name });
  if (details.length > 0) await recordAudit(db, actor, "category.updated", subject, Object.fromEntries(details));
  if (changes.sequence !== undefined)
    await recordAudit(db, actor, "category.moved", subject, { place: changes.sequence });
}

async function freeAddresses(db: Db, slugs: string[]): Promise<void> {
  await db.redirect.deleteMany({ where: { fromPath: { in: slugs.map(pathOf) } } });
}
