import { randomUUID } from "node:crypto";
import { type Actor, recordAudit } from "@/lib/audit";
import { leadTo, pathOf, reindexCategory } from "@/lib/categories/changes";
import { subjectOf } from "@/lib/categories/places";
import { MOST_CATEGORIES, MOST_LEVELS, tooManyCategories } from "@/lib/categories/tree";
import type { Db } from "@/lib/db";
import type { Existing, ExistingCategory } from "@/lib/import/existing";
import type { CategorySettings } from "@/lib/import/front-matter";
import { isFormOf, type SlugBook, wantedSlug } from "@/lib/import/slugs";

/** What a folder becomes. */
export interface PlannedCategory {
  /** The folder's path; "" for the files that are in none. */
  folder: string;
  id: string;
  parentId: string | null;
  name: string;
  slug: string;
  visibility: ExistingCategory["visibility"];
  settings: CategorySettings;
  /** What there is of it already. */
  before: ExistingCategory | null;
  /** Fields that change because the folder says something else of them than when it was last imported. */
  changes: Partial<Pick<ExistingCategory, Field>>;
  /** Whether it is the folder's own; else it is where people put what was in the folder. */
  isOwn: boolean;
}

const fields = ["name", "slug", "description", "sequence", "visibility"] as const;
type Field = (typeof fields)[number];

/** The name of the category for files in no folder. */
const GENERAL = "General";

interface Plan {
  category: PlannedCategory;
  level: number;
  /** Whether the folder is deeper than the deepest category, so that this is that of a folder above. */
  isFlattened: boolean;
}

/** Finds out which category each folder is, and plans those that do not exist. */
export class CategoryPlan {
  /** Folders that would let more people read than before, and are not known to say so since: who may read stays. */
  readonly keptClosed: string[] = [];
  private readonly bySource = new Map<string, ExistingCategory>();
  private readonly bySlug = new Map<string, ExistingCategory>();
  private readonly byId = new Map<string, ExistingCategory>();
  private readonly former: ReadonlyMap<string, string | null>;
  /** Folder → the category that it is; no category is that of two. */
  private readonly claims = new Map<string, ExistingCategory>();
  private readonly folderOf = new Map<string, string>();
  private readonly createdById = new Map<string, PlannedCategory>();
  private readonly madeIds = new Set<string>();
  private readonly planned = new Map<string, Plan>();

  constructor(
    private readonly existing: Pick<Existing, "categories" | "folders" | "isClosed">,
    private readonly given: {
      /** Every folder that has articles or says something of itself. */
      folders: Iterable<string>;
      settings: ReadonlyMap<string, CategorySettings>;
      slugs: SlugBook;
      /** Whether it is ours, whose folders are categories by their slugs. */
      isExport: boolean;
      /** Of an export: former slug → slug. */
      formerSlugs: ReadonlyMap<string, string>;
    },
  ) {
    for (const category of existing.categories) {
      this.byId.set(category.id, category);
      if (category.sourcePath !== null) this.bySource.set(category.sourcePath, category);
      this.bySlug.set(category.slug, category);
    }
    this.former = new Map(existing.folders.map(({ path, categoryId }) => [path, categoryId]));
    const folders = new Set<string>();
    for (const folder of given.folders) for (const path of [folder, ...above(folder)]) folders.add(path);
    // Each comes after those that it is in.
    const sorted = [...folders].sort();
    this.claim(sorted, folders);
    for (const folder of sorted) this.plan(folder);
    for (const folder of sorted) this.keepClosed(folder, this.of(folder));
  }

  /**
   * Who a folder is: of an export the category with its slug, since that goes with it when it moves; then the one that was
   * made of the folder; then one that had, or has, the slug and whose own folder is gone. What one is, no other is.
   */
  private claim(sorted: readonly string[], folders: ReadonlySet<string>): void {
    const take = (folder: string, category: ExistingCategory | undefined) => {
      if (!category || this.claims.has(folder) || this.folderOf.has(category.id)) return;
      this.claims.set(folder, category);
      this.folderOf.set(category.id, folder);
    };
    const slugOf = (folder: string) => this.given.settings.get(folder)?.slug ?? "";
    if (this.given.isExport) for (const folder of sorted) take(folder, this.bySlug.get(slugOf(folder)));
    for (const folder of sorted) take(folder, this.bySource.get(folder));
    const withoutFolder = (category: ExistingCategory | undefined) =>
      category && category.sourcePath !== null && !folders.has(category.sourcePath) ? category : undefined;
    for (const folder of sorted) take(folder, withoutFolder(this.bySlug.get(slugOf(folder))));
    for (const [former, slug] of this.given.formerSlugs) {
      const folder = sorted.find((one) => slugOf(one) === slug);
      if (folder !== undefined) take(folder, withoutFolder(this.bySlug.get(former)));
    }
  }

  /** The category of a folder; below six levels, that of the sixth folder above it. */
  of(folder: string): PlannedCategory {
    return this.plan(folder).category;
  }

  isFlattened(folder: string): boolean {
    return this.plan(folder).isFlattened;
  }

  /** A category that is there, whatever folder it is of. */
  standing(id: string): PlannedCategory | undefined {
    const folder = this.folderOf.get(id);
    if (folder !== undefined) return this.of(folder);
    const category = this.byId.get(id);
    if (!category) return undefined;
    const { parentId, name, slug, visibility } = category;
    return {
      ...{ id, parentId, name, slug, visibility, folder: category.sourcePath ?? "", settings: {} },
      ...{ before: category, changes: {}, isOwn: false },
    };
  }

  /** The category that the articles of a folder were put into by the import before this one; null when it is not known. */
  formerly(folder: string): string | null {
    for (const path of [folder, ...above(folder)]) {
      const own = this.bySource.get(path);
      if (own) return own.id;
      const merged = this.former.get(path);
      if (merged !== undefined) return merged;
    }
    return null;
  }

  /**
   * Whether all that closes a category is the word of the folder it is of, or of those above. What people merged into
   * another category is for whom they decided, whatever its folders said.
   */
  isClosedBySource(id: string, folder: string): boolean {
    const saying = new Set<string>();
    for (const path of [folder, ...above(folder)]) {
      if (this.former.has(path)) break;
      const own = this.bySource.get(path);
      if (!own) continue;
      const said = this.plannedById(own.id)?.settings.visibility ?? own.sourceSettings?.visibility;
      if (said === "members") saying.add(own.id);
    }
    const closing: string[] = [];
    let at: string | null = id;
    for (let level = 0; at !== null && level < 100; level++) {
      const before = this.byId.get(at);
      if ((this.plannedById(at) ?? before)?.visibility === "members") closing.push(at);
      at = before?.parentId ?? null;
    }
    return closing.length > 0 && closing.every((one) => saying.has(one));
  }

  /**
   * Forgets the folders that need no category: those whose articles people have put elsewhere, and that say nothing of
   * themselves or had one that people deleted.
   * @param used the categories that articles go into
   */
  settle(used: Iterable<PlannedCategory>): void {
    const needed = new Set<PlannedCategory>();
    const need = (category: PlannedCategory) => {
      if (category.before || needed.has(category)) return;
      needed.add(category);
      for (const path of above(category.folder)) need(this.of(path));
    };
    for (const category of used) need(category);
    for (const folder of this.given.settings.keys()) if (this.former.get(folder) !== null) need(this.of(folder));
    for (const [folder, { category }] of this.planned) {
      if (!category.before && !needed.has(category)) this.planned.delete(folder);
    }
  }

  /**
   * Leaves out those of the categories to be made that there is no room for: the last ones, with all that is below them.
   * @returns these
   */
  leaveOut(): ReadonlySet<PlannedCategory> {
    const room = Math.max(0, MOST_CATEGORIES - this.existing.categories.length);
    const left = new Set(this.missing().slice(room));
    for (const [folder, { category }] of this.planned) if (left.has(category)) this.planned.delete(folder);
    return left;
  }

  all(): PlannedCategory[] {
    return [...new Set([...this.planned.values()].map(({ category }) => category))];
  }

  /** Those that are still to be made for these, or for all, each after the one above it. */
  missing(wanted: readonly PlannedCategory[] = this.all()): PlannedCategory[] {
    const found = new Set<PlannedCategory>();
    const visit = (category: PlannedCategory) => {
      if (category.before || this.madeIds.has(category.id)) return;
      const [parent] = above(category.folder);
      if (parent !== undefined) visit(this.of(parent));
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

  /** Whether a category is for members alone (lib/visibility.ts), before this import or after it. */
  isClosed(id: string | null, when: "before" | "after"): boolean {
    const path: ExistingCategory["visibility"][] = [];
    for (let at = id; at !== null && path.length < 100; ) {
      const before = this.byId.get(at);
      const planned = when === "after" || !before ? this.plannedById(at) : undefined;
      path.push((planned ?? before)?.visibility ?? "inherit");
      at = (before ?? planned)?.parentId ?? null;
    }
    const root = path.at(-1) ?? "inherit";
    const first = root === "inherit" ? this.existing.isClosed : root === "members";
    return first || path.includes("members");
  }

  /** The folders whose category is no longer for members alone, since they say so now. */
  opened(): string[] {
    return this.all()
      .filter(({ id, changes, before }) => before && changes.visibility !== undefined && this.opens(id))
      .map(({ folder }) => folder);
  }

  private opens(id: string): boolean {
    return this.isClosed(id, "before") && !this.isClosed(id, "after");
  }

  private plannedById(id: string): PlannedCategory | undefined {
    const folder = this.folderOf.get(id);
    if (folder !== undefined) return this.planned.get(folder)?.category;
    return this.createdById.get(id);
  }

  private plan(folder: string): Plan {
    const known = this.planned.get(folder);
    if (known) return known;
    const result = this.planFolder(folder);
    this.planned.set(folder, result);
    return result;
  }

  /** A change that is not known to be one opens nothing. */
  private keepClosed(folder: string, category: PlannedCategory): void {
    const { before, changes, isOwn, id } = category;
    if (!isOwn || !before || changes.visibility === undefined || !this.opens(id)) return;
    if (before.sourceSettings?.visibility !== undefined) return;
    category.visibility = before.visibility;
    delete changes.visibility;
    this.keptClosed.push(folder);
  }

  private planFolder(folder: string): Plan {
    const before = this.claims.get(folder);
    if (before) return { category: this.known(folder, before), level: this.levelOf(before), isFlattened: false };
    const merged = this.former.get(folder);
    const into = typeof merged === "string" ? this.standing(merged) : undefined;
    if (into?.before) return { category: into, level: this.levelOf(into.before), isFlattened: false };
    const [parent] = above(folder);
    const over = parent === undefined ? null : this.plan(parent);
    const level = (over?.level ?? 0) + 1;
    if (over && level > MOST_LEVELS) return { ...over, isFlattened: true };
    return { category: this.created(folder, over?.category.id ?? null), level, isFlattened: false };
  }

  private created(folder: string, parentId: string | null): PlannedCategory {
    const settings = this.given.settings.get(folder) ?? {};
    const id = randomUUID();
    const name = settings.name ?? nameOf(folder);
    const category: PlannedCategory = {
      ...{ folder, id, parentId, name, settings, before: null, changes: {}, isOwn: true },
      slug: this.given.slugs.take(wantedSlug(settings.slug, name, this.given.isExport), id),
      visibility: settings.visibility ?? (settings.isUnreadable ? "members" : "inherit"),
    };
    this.createdById.set(id, category);
    return category;
  }

  /** What people made of it since the last import stays, and so does its place. */
  private known(folder: string, before: ExistingCategory): PlannedCategory {
    const settings = this.given.settings.get(folder) ?? {};
    const { sourceSettings } = before;
    const changes: PlannedCategory["changes"] = {};
    for (const field of fields) {
      const value = settings[field];
      if (value === undefined || sourceSettings?.[field] === value || before[field] === value) continue;
      if (field !== "slug") Object.assign(changes, { [field]: value });
      else {
        const wanted = wantedSlug(settings.slug, before.name, this.given.isExport);
        if (!isFormOf(before.slug, wanted)) changes.slug = this.given.slugs.take(wanted, before.id);
      }
    }
    const { id, parentId } = before;
    const { name = before.name, slug = before.slug, visibility = before.visibility } = changes;
    return { folder, id, parentId, name, slug, visibility, settings, before, changes, isOwn: true };
  }

  private levelOf(category: ExistingCategory): number {
    let level = 1;
    for (let id = category.parentId; id !== null && level < 100; level++) id = this.byId.get(id)?.parentId ?? null;
    return level;
  }
}

/** The folders that a folder is in, the nearest first. */
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

/** What is remembered of what a folder says. */
function said(settings: CategorySettings): CategorySettings {
  return Object.fromEntries(
    fields.flatMap((field) => (settings[field] === undefined ? [] : [[field, settings[field]]])),
  );
}

/**
 * Makes categories; parents must be there or come before their children.
 * @throws InvalidError where somebody has made so many meanwhile that there is no room for these
 */
export async function createCategories(db: Db, categories: readonly PlannedCategory[]): Promise<void> {
  if (categories.length === 0) return;
  const rows = categories.map(({ id, parentId, name, slug, folder, visibility, settings }) => ({
    id,
    parent_id: parentId,
    name,
    slug,
    source_path: folder,
    source_settings: said(settings),
    description: settings.description ?? null,
    sequence: settings.sequence ?? null,
    visibility,
  }));
  await db.$executeRawUnsafe(
    `INSERT INTO categories (id, parent_id, name, slug, source_path, source_settings, description, sequence, visibility)
     SELECT id, parent_id, name, slug, source_path, source_settings, description, sequence, visibility
     FROM jsonb_to_recordset($1::jsonb) AS g(id uuid, parent_id uuid, name text, slug text, source_path text,
       source_settings jsonb, description text, sequence integer, visibility text)`,
    JSON.stringify(rows),
  );
  // Nobody else makes one until the transaction ends (Places.lock).
  if ((await db.category.count()) > MOST_CATEGORIES) throw tooManyCategories();
  await db.formerFolder.deleteMany({ where: { path: { in: categories.map(({ folder }) => folder) } } });
  await freeAddresses(db, categories.map(({ slug }) => slug)); // biome-ignore format: a short list
}

/** Brings categories that are there to what their folders say that they did not say before. */
export async function updateCategories(db: Db, planned: readonly PlannedCategory[], actor: Actor): Promise<void> {
  const known = planned.filter(({ before, isOwn }) => before !== null && isOwn);
  const moved = known.filter(({ before, folder }) => before?.sourcePath !== folder).map(({ folder }) => folder);
  // Where folders changed their names, one may come to where another was.
  await db.category.updateMany({ where: { sourcePath: { in: moved } }, data: { sourcePath: null } });
  await db.formerFolder.deleteMany({ where: { path: { in: moved } } });
  for (const category of known) await updateCategory(db, category, actor);
}

async function updateCategory(db: Db, planned: PlannedCategory, actor: Actor): Promise<void> {
  const { before, id, folder, name, slug, settings, changes } = planned;
  if (!before) return;
  const remembered = { ...before.sourceSettings, ...said(settings) };
  const isSaid = fields.every((field) => remembered[field] === before.sourceSettings?.[field]);
  const source = {
    ...(before.sourcePath !== folder && { sourcePath: folder }),
    ...((!isSaid || (!before.sourceSettings && !settings.isUnreadable)) && { sourceSettings: { ...remembered } }),
  };
  const changed = fields.filter((field) => changes[field] !== undefined);
  if (Object.keys(source).length + changed.length === 0) return;
  // Only what the folder changes: the rest may have been changed by people since it was read.
  const data = { ...source, ...changes, ...(changed.length > 0 && { updatedAt: new Date() }) };
  await db.category.updateMany({ where: { id }, data });
  if (changes.slug !== undefined) {
    await freeAddresses(db, [slug]);
    await leadTo(db, [pathOf(before.slug)], id);
  }
  if (changes.name !== undefined) await reindexCategory(db, id);
  const details = changed
    .filter((field) => field !== "sequence")
    .map((field) => [field, `${before[field] ?? ""} → ${changes[field] ?? ""}`] as const);
  const subject = subjectOf({ id, name });
  if (details.length > 0) await recordAudit(db, actor, "category.updated", subject, Object.fromEntries(details));
  if (changes.sequence !== undefined)
    await recordAudit(db, actor, "category.moved", subject, { place: changes.sequence });
}

/** What now is the address of a category leads nowhere else. */
async function freeAddresses(db: Db, slugs: string[]): Promise<void> {
  await db.redirect.deleteMany({ where: { fromPath: { in: slugs.map(pathOf) } } });
}
