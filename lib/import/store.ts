import type { ArticleToStore } from "@/lib/articles/store";
import { completeRelated, storeArticles } from "@/lib/articles/store";
import { type Db, inWorkspace, readingOf } from "@/lib/db";
import { InvalidError, UnavailableError } from "@/lib/errors";
import { type CategoryPlan, createCategories } from "@/lib/import/categories";
import { articleStates, rememberArticles } from "@/lib/import/edited";
import type { PlannedFile } from "@/lib/import/plan";
import type { Problem } from "@/lib/import/problem";
import { isTaken } from "@/lib/taken";

const MOST_ARTICLES = 100;
const MOST_CHARACTERS = 1_000_000;
const SECONDS = 120;

export interface ImportedArticle {
  article: ArticleToStore & { source: { path: string; hash: Buffer } };
  planned: Pick<PlannedFile, "category" | "before" | "keepsPlace">;
}

export class Store {
  created = 0;
  updated = 0;
  categories = 0;
  readonly problems: Problem[] = [];
  /** Files whose article was edited while the import ran. */
  readonly left: string[] = [];
  private readonly keptPlaces = new Set<string>();

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
    private readonly onStored?: (counts: { created: number; updated: number; categories: number }) => void,
  ) {
    this.there = new Set(existing.map(({ id }) => id));
  }

  /** Throws UnavailableError when an earlier batch found the database away. */
  async add(imported: ImportedArticle): Promise<void> {
    this.batch.push(imported);
    this.characters += imported.article.body.html.length;
    if (this.batch.length >= MOST_ARTICLES || this.characters >= MOST_CHARACTERS) await this.flush();
  }

  /** After a stop, the next run adds missing related articles. */
  async finish(isAll: boolean): Promise<void> {
    await this.flush();
    await this.storing;
    if (!isAll) return;
    await this.createOthers();
    for (let at = 0; at < this.incomplete.length; at += MOST_ARTICLES) {
      const some = this.incomplete.slice(at, at + MOST_ARTICLES);
      const ids = some.map(({ id }) => id);
      const complete = async (db: Db) => {
        await completeRelated(db, some);
        await rememberArticles(db, ids, this.keptPlaces);
      };
      await inWorkspace(this.workspaceId, complete, SECONDS);
    }
  }

  private async createOthers(): Promise<void> {
    const categories = this.isDryRun ? [] : this.plan.missing();
    for (let at = 0; at < categories.length; at += MOST_ARTICLES) {
      const some = categories.slice(at, at + MOST_ARTICLES);
      try {
        await inWorkspace(this.workspaceId, (db) => createCategories(db, some), SECONDS);
      } catch (error) {
        if (!(error instanceof InvalidError)) throw error;
        for (const { folder } of categories.slice(at)) this.problems.push({ path: folder, message: error.message });
        break;
      }
      this.plan.markStored(some);
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
    // The next flush throws this. Until then it must not end the process.
    this.storing.catch(() => {});
  }

  private async store(batch: ImportedArticle[]): Promise<void> {
    try {
      await this.storeTogether(batch);
    } catch (error) {
      if (error instanceof UnavailableError) throw error;
      if (batch.length > 1) {
        for (const imported of batch) await this.store([imported]);
        return;
      }
      this.problems.push({ path: batch[0]?.article.source.path ?? "", message: reasonOf(error) });
    }
  }

  private async storeTogether(batch: ImportedArticle[]): Promise<void> {
    const categories = this.plan.missing(batch.map(({ planned }) => planned.category));
    const stored = await inWorkspace(
      this.workspaceId,
      async (db) => {
        const wanted = await this.unedited(db, batch);
        const ids = wanted.map(({ article }) => article.id);
        await createCategories(db, categories);
        // The import may replace drafts of an earlier import.
        await db.articleDraft.updateMany({ where: { id: { in: ids } }, data: { updatedBy: null, updatedByKey: null } });
        await storeArticles(
          db,
          wanted.map(({ article }) =>
            this.isComplete(article, ids) ? article : { ...article, source: { ...article.source, hash: null } },
          ),
        );
        for (const { article, planned } of wanted) if (planned.keepsPlace) this.keptPlaces.add(article.id);
        await rememberArticles(db, ids, this.keptPlaces);
        return wanted;
      },
      SECONDS,
    );
    this.plan.markStored(categories);
    this.categories += categories.length;
    const isStored = new Set(stored);
    for (const imported of batch) if (!isStored.has(imported)) this.left.push(imported.article.source.path);
    const ids = stored.map(({ article }) => article.id);
    for (const { article, planned } of stored) {
      if (planned.before) this.updated++;
      else this.created++;
      if (this.isComplete(article, ids)) continue;
      const { id, relatedIds, source, draft } = article;
      this.incomplete.push({ id, relatedIds, sourceHash: source.hash, ...(draft && { draft }) });
    }
    for (const id of ids) this.there.add(id);
    const { created, updated } = this;
    this.onStored?.({ created, updated, categories: this.categories });
  }

  private isComplete({ relatedIds, draft }: ArticleToStore, batch: readonly string[]): boolean {
    const related = [...relatedIds, ...(draft?.relatedIds ?? [])];
    return related.every((id) => this.there.has(id) || batch.includes(id));
  }

  /** Locks the articles that nobody has edited since the import read them. Returns these and the new ones. */
  private async unedited(db: Db, batch: ImportedArticle[]): Promise<ImportedArticle[]> {
    const ids = batch.filter(({ planned }) => planned.before).map(({ article }) => article.id);
    if (ids.length === 0) return batch;
    const read = readingOf(db);
    await read("SELECT FROM articles WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE", [ids]);
    const now = await articleStates(read, ids);
    return batch.filter(({ article, planned }) => !planned.before || now.get(article.id) === planned.before.current);
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof InvalidError) return error.message;
  if (isTaken(error)) return "Another article took its slug during the import. Run the import again.";
  return `The article could not be stored: ${String((error as Error).message)
    .replace(/\s+/g, " ")
    .trim()}`;
}
