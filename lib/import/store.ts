import { inWorkspace } from "@/lib/db";
import { InvalidError, UnavailableError } from "@/lib/errors";
import { type CategoryPlan, createCategories, type PlannedCategory } from "@/lib/import/categories";
import type { Problem } from "@/lib/import/problem";
import { completeRelated, storeArticles } from "@/lib/publishing";
import type { ArticleToStore } from "@/lib/publishing/article";
import { isTaken } from "@/lib/taken";

/** A transaction's worth of articles: few enough to be quick, many enough that statements cost little. */
const MOST_ARTICLES = 100;
const MOST_CHARACTERS = 1_000_000;
const SECONDS = 120;

export interface ImportedArticle {
  article: ArticleToStore & { source: { path: string; hash: Buffer; settings: object } };
  category: PlannedCategory;
}

/** Stores articles in batches, each a transaction of its own, while the next is being prepared. */
export class Store {
  created = 0;
  updated = 0;
  categories = 0;
  readonly problems: Problem[] = [];
  /** Articles whose draft somebody is writing. */
  readonly keptDrafts: string[] = [];
  /** Drafts whose article somebody published while the import ran. */
  readonly left: string[] = [];

  private batch: ImportedArticle[] = [];
  private characters = 0;
  private storing: Promise<void> = Promise.resolve();
  private readonly there: Set<string>;
  private readonly incomplete: Parameters<typeof completeRelated>[1][number][] = [];

  constructor(
    private readonly workspaceId: string,
    existing: readonly { id: string }[],
    private readonly plan: CategoryPlan,
    private readonly isDryRun: boolean,
  ) {
    this.there = new Set(existing.map(({ id }) => id));
  }

  /** @throws UnavailableError when an earlier batch found the database away */
  async add(imported: ImportedArticle): Promise<void> {
    this.batch.push(imported);
    this.characters += imported.article.body.html.length;
    if (this.batch.length >= MOST_ARTICLES || this.characters >= MOST_CHARACTERS) await this.flush();
  }

  /**
   * Stores what waits. With it, every article that was added is there whole, or is among the problems.
   * @param isAll false when more would have come: articles that relate to it are left for the next run to complete
   */
  async finish(isAll: boolean): Promise<void> {
    await this.flush();
    await this.storing;
    if (!isAll) return;
    await this.createOthers();
    for (let at = 0; at < this.incomplete.length; at += MOST_ARTICLES) {
      const some = this.incomplete.slice(at, at + MOST_ARTICLES);
      await inWorkspace(this.workspaceId, (db) => completeRelated(db, some), SECONDS);
    }
  }

  /** Categories without articles. In a run that would store nothing there is no article either. */
  private async createOthers(): Promise<void> {
    const categories = this.isDryRun ? [] : this.plan.missing();
    for (let at = 0; at < categories.length; at += MOST_ARTICLES) {
      const some = categories.slice(at, at + MOST_ARTICLES);
      try {
        await inWorkspace(this.workspaceId, (db) => createCategories(db, some), SECONDS);
      } catch (error) {
        if (!(error instanceof InvalidError)) throw error;
        // Those that come later may be below these.
        for (const { folder } of categories.slice(at)) this.problems.push({ path: folder, message: error.message });
        break;
      }
      this.plan.made(some);
      this.categories += some.length;
    }
  }

  private async flush(): Promise<void> {
    const { batch } = this;
    this.batch = [];
    this.characters = 0;
    await this.storing;
    if (batch.length === 0) return;
    this.storing = this.store(batch);
    // Who waits for it next hears of a failure; until then nobody does, which is no reason to end the process.
    this.storing.catch(() => {});
  }

  private async store(batch: ImportedArticle[]): Promise<void> {
    try {
      await this.storeTogether(batch);
    } catch (error) {
      if (error instanceof UnavailableError) throw error;
      if (batch.length > 1) {
        // One of them is the reason; the others are stored without it.
        for (const imported of batch) await this.store([imported]);
        return;
      }
      this.problems.push({ path: batch[0]?.article.source.path ?? "", message: reasonOf(error) });
    }
  }

  private async storeTogether(batch: ImportedArticle[]): Promise<void> {
    const categories = this.plan.missing(batch.map(({ category }) => category));
    const present = new Set([...this.there, ...batch.map(({ article }) => article.id)]);
    const isComplete = ({ relatedIds, draft }: ArticleToStore) =>
      [...relatedIds, ...(draft?.relatedIds ?? [])].every((id) => present.has(id));
    const articles = batch.map(({ article }) =>
      isComplete(article) ? article : { ...article, source: { ...article.source, hash: null } },
    );
    const stored = await inWorkspace(
      this.workspaceId,
      async (db) => {
        await createCategories(db, categories);
        return storeArticles(db, articles);
      },
      SECONDS,
    );
    this.plan.made(categories);
    this.categories += categories.length;
    for (const [index, { id, created, keptDraft, isLeft }] of stored.entries()) {
      const { article } = batch[index] as ImportedArticle;
      if (isLeft) {
        this.left.push(article.source.path);
        continue;
      }
      this.there.add(id);
      if (created) this.created++;
      else this.updated++;
      if (keptDraft) this.keptDrafts.push(article.source.path);
      if (!isComplete(article)) {
        const { relatedIds, source, draft } = article;
        this.incomplete.push({ id, relatedIds, sourceHash: source.hash, ...(draft && !keptDraft && { draft }) });
      }
    }
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof InvalidError) return error.message;
  if (isTaken(error)) return "Somebody else took its address while the import ran: run it again.";
  return `The article could not be stored: ${String((error as Error).message)
    .replace(/\s+/g, " ")
    .trim()}`;
}
