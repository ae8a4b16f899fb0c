import type { ReadFile } from "@/lib/import/article-file";
import type { CategoryPlan, PlannedCategory } from "@/lib/import/categories";
import type { ArticleSource, Existing, ExistingArticle } from "@/lib/import/existing";
import type { Problem } from "@/lib/import/problem";
import { folderOf } from "@/lib/import/text";
import type { Kept } from "@/lib/publishing/article";

/** Why a draft's file changed nothing. */
export const LEFT_PUBLISHED = "The file is a draft, and its article is published here: it was left as it is.";

/** Where a file's article goes, and what of it stays as it is here. */
interface Decision {
  category: PlannedCategory;
  sequence: number;
  state: "draft" | "published";
  keeps: Kept[];
  says: ArticleSource;
  /** Whether nothing of it is to be changed: the text is no reader's yet, and would be shown to all. */
  isLeft: boolean;
}

/**
 * Decides what an import changes of an article besides its text: what its file says otherwise than when it was last
 * imported. Everything else stays as people made it here: where it is, its place in the order, whether readers see it. What
 * is not known to have changed lets nobody read what they could not read before.
 */
export class Decisions {
  /** Files whose article more people can read than before, since the file or its folder says so now. */
  readonly opened: string[] = [];
  readonly kept: Problem[] = [];
  private readonly greatest = new Map<string, number>();

  constructor(
    existing: Pick<Existing, "articles">,
    private readonly categories: CategoryPlan,
    read: readonly ReadFile[],
    private readonly claimed: ReadonlyMap<string, ExistingArticle>,
  ) {
    const files = new Map(read.map((file) => [claimed.get(file.path)?.id, file]));
    const note = (categoryId: string, sequence: number) =>
      this.greatest.set(categoryId, Math.max(this.greatest.get(categoryId) ?? 0, sequence));
    for (const { id, categoryId, sequence, sourceSettings } of existing.articles) {
      // Where an import put it at the end, what comes with this one stands beside it, as if they had come together.
      const file = files.get(id);
      const isAtEnd = file && file.fields.sequence === undefined && sourceSettings?.sequence === sequence;
      if (!isAtEnd) note(categoryId, sequence);
    }
    for (const { path, fields } of read) {
      if (fields.sequence !== undefined) note(this.categoryOf(path).category.id, fields.sequence);
    }
  }

  of({ path, fields, contentHash }: ReadFile): Decision {
    const before = this.claimed.get(path);
    const { category, isKept, isHeld } = this.categoryOf(path);
    const said = before?.sourceSettings;
    const state = fields.state ?? "published";
    const publishAt = fields.publishAt?.toISOString();
    const keeps: Kept[] = isKept ? ["category"] : [];
    const isNews = (field: "sequence" | "publishAt", value: unknown) =>
      value !== undefined && (said ? said[field] !== value : before?.sourcePath === null);
    if (before && !isNews("sequence", fields.sequence)) keeps.push("sequence");
    if (before && !isNews("publishAt", publishAt)) keeps.push("publishAt");
    const isPublished = state === "published" && said?.state === "draft";
    if (before && !isPublished) keeps.push("draft");
    // Who publishes it while the import runs means the text that is there.
    if (before?.state === "draft" && state === "draft") keeps.push("published");
    const isLeft = before?.state === "published" && state === "draft" && said?.state !== "published";
    const isSame =
      before?.sourcePath === path && before.sourceHash?.subarray(0, contentHash.length).equals(contentHash);
    if (before && !isSame) this.tell(path, before, { category, isHeld, isLeft, isPublished, state });
    const sequence = fields.sequence ?? (before ? (said?.sequence ?? before.sequence) : this.endOf(category));
    return {
      ...{ category, sequence, keeps, state, isLeft },
      says: {
        ...{ state, sequence },
        ...(fields.slug !== undefined && { slug: fields.slug }),
        ...(publishAt !== undefined && { publishAt }),
      },
    };
  }

  private tell(
    path: string,
    before: ExistingArticle,
    now: { category: PlannedCategory; isHeld: boolean; isLeft: boolean; isPublished: boolean; state: string },
  ): void {
    const { categories } = this;
    const keep = (message: string) => this.kept.push({ path, message });
    if (now.isLeft) keep(LEFT_PUBLISHED);
    if (now.isHeld) keep("The article is for members here, and stays where it is: move it if everyone may read it.");
    const staysDraft = before.state === "draft" && now.state === "published" && !now.isPublished;
    if (staysDraft && before.sourceSettings?.state === undefined)
      keep("The article is a draft here, and stays one: publish it here.");

    const was = before.state === "published" && !categories.isClosed(before.categoryId, "before");
    const is = now.isPublished || (before.state === "published" && now.state === "published");
    // What the folder's own settings open is told of the folder.
    const isMoved = before.state === "draft" || before.categoryId !== now.category.id;
    if (!was && is && isMoved && !categories.isClosed(now.category.id, "after")) this.opened.push(path);
  }

  /**
   * An article that is there moves when its file does, unless people have moved it since.
   * @returns `isHeld` when it stays because more people would read it elsewhere, and nobody knows that they may
   */
  private categoryOf(path: string): { category: PlannedCategory; isKept: boolean; isHeld: boolean } {
    const folder = folderOf(path);
    const category = this.categories.of(folder);
    const before = this.claimed.get(path);
    const here = before && this.categories.standing(before.categoryId);
    if (!before || !here || here.id === category.id) {
      return { category, isKept: before !== undefined, isHeld: false };
    }
    const opens = this.categories.isClosed(here.id, "after") && !this.categories.isClosed(category.id, "after");
    const was = before.sourcePath === null ? null : folderOf(before.sourcePath);
    const formerly = was === null ? null : this.categories.formerly(was);
    const isMoving = was === null || (was !== folder && formerly === here.id);
    // What people closed, by whatever means, the source cannot open; what its own folders closed, it can.
    const isHeld = isMoving && opens && (was === null || !this.categories.isClosedBySource(here.id, was));
    const isMoved = isMoving && !isHeld;
    return isMoved ? { category, isKept: false, isHeld } : { category: here, isKept: true, isHeld };
  }

  /** The place of a new article that names none: after what is in order; where nothing is, all are by their titles. */
  private endOf(category: PlannedCategory): number {
    const greatest = this.greatest.get(category.id) ?? 0;
    return greatest > 0 ? Math.min(greatest + 1, 2_147_483_647) : 0;
  }
}
