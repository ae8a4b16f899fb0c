import { type Actor, recordAudit } from "@/lib/audit";
import { inWorkspace } from "@/lib/db";
import { Addresses } from "@/lib/import/addresses";
import { missingAnchors } from "@/lib/import/anchors";
import { type ArticleFile, readArticleFile } from "@/lib/import/article-file";
import { type PlannedCategory, updateCategory } from "@/lib/import/categories";
import { defaultAuthor, membersByEmail, readExisting } from "@/lib/import/existing";
import type { Source } from "@/lib/import/listing";
import { contextHash, hashOf, type Plan, type PlannedFile, planImport, problemOf } from "@/lib/import/plan";
import type { AnchorLink, CheckedBody, Finding } from "@/lib/import/prepare";
import { Preparing } from "@/lib/import/preparing";
import { FileError, type Problem } from "@/lib/import/problem";
import { type Reference, References } from "@/lib/import/references";
import type { ImportResult } from "@/lib/import/result";
import { openSource } from "@/lib/import/source";
import { Store } from "@/lib/import/store";
import type { DerivedText } from "@/lib/publishing/derive";

export interface ImportOptions {
  workspace: { id: string; name: string };
  /** A folder or a zip file. */
  path: string;
  /** The e-mail address of the author of files that name none; the first administrator when absent. */
  author?: string;
  /** Reads, checks and counts everything, and stores nothing. */
  dryRun?: boolean;
  /** Checks the links of unchanged files again too, which takes about half as long as importing them. */
  recheck?: boolean;
  actor: Actor;
  onProgress?: (progress: Progress) => void;
  /** Stops after the batch at hand. */
  signal?: AbortSignal;
}

export interface Progress {
  phase: "reading" | "importing";
  done: number;
  total: number;
}

/**
 * Imports a folder or zip of Markdown and HTML into a workspace. A file is recognised by its path, so that another run
 * updates what changed and leaves the rest; a run that was cut off, however hard, is completed by the next one.
 * @throws Error with a sentence when nothing can be imported at all; UnavailableError when the database goes away
 */
export async function importArticles(options: ImportOptions): Promise<ImportResult> {
  const { workspace, onProgress } = options;
  const source = await openSource(options.path);
  try {
    const author = await defaultAuthor(workspace.id, options.author);
    const existing = await readExisting(workspace.id);
    const total = source.articles.length;
    const plan = await planImport(source, existing, (done) => onProgress?.({ phase: "reading", done, total }));
    const authors = await membersByEmail(workspace.id, plan.emails);
    const references = new References(existing, plan, authors, author.id);
    const store = new Store(workspace.id, existing.articles, plan.categories);
    const preparing = new Preparing(plan.book, plan.files.length);
    try {
      return await new Run(options, source, plan, references, store, preparing).run();
    } finally {
      await preparing.close();
    }
  } finally {
    await source.close();
  }
}

/** The second reading: each file is turned into an article, or found to be one already. */
class Run {
  private readonly addresses: Addresses;
  private readonly headings = new Map<string, string[]>();
  private readonly findings: Finding[] = [];
  private readonly anchors: AnchorLink[] = [];
  private readonly problems: Problem[];
  private readonly counts = { created: 0, updated: 0, unchanged: 0, drafts: 0 };

  constructor(
    private readonly options: ImportOptions,
    private readonly source: Source,
    private readonly plan: Plan,
    private readonly references: References,
    private readonly store: Store,
    private readonly preparing: Preparing,
  ) {
    this.addresses = new Addresses(plan.book);
    this.problems = [...plan.problems];
  }

  async run(): Promise<ImportResult> {
    const { signal, onProgress, dryRun, workspace } = this.options;
    if (!dryRun) await this.updateCategories();
    const total = this.plan.files.length;
    const underWay: (() => Promise<void>)[] = [];
    let done = 0;
    const finishOne = async () => {
      await underWay.shift()?.();
      done++;
      onProgress?.({ phase: "importing", done, total });
    };
    for (const planned of this.plan.files) {
      if (signal?.aborted) break;
      underWay.push(await this.begin(planned));
      if (underWay.length >= this.preparing.depth) await finishOne();
    }
    while (underWay.length > 0) await finishOne();
    await this.store.finish(done === total);
    const missing = await missingAnchors(workspace.id, this.anchors, this.headings, this.plan.files);
    const { unchanged, drafts } = this.counts;
    const { created, updated } = dryRun ? this.counts : this.store;
    const result: ImportResult = {
      files: this.source.articles.length,
      ...{ created, updated, unchanged, drafts },
      categories: dryRun ? this.plan.categories.missing().length : this.store.categories,
      problems: [...this.problems, ...this.store.problems].sort(byPlace),
      findings: [...this.findings, ...missing].sort(byPlace),
      flattened: this.plan.flattened,
      gone: this.plan.gone,
      keptDrafts: this.store.keptDrafts,
      interrupted: done < total,
    };
    if (!dryRun && created + updated > 0) await this.audit(result);
    return result;
  }

  /** Reads a file and begins what is to be done with it; what it gives back waits for that and stores the outcome. */
  private async begin(planned: PlannedFile): Promise<() => Promise<void>> {
    const { path, before, contentHash } = planned;
    try {
      const bytes = await this.source.read(path);
      if (!hashOf(bytes).equals(contentHash))
        throw new FileError("The file changed while the import ran: run it again.");
      const file = readArticleFile(path, bytes);
      const reference = this.references.of(path, file.fields, this.addresses);
      const hash = Buffer.concat([contentHash, contextHash(path, file.body, reference, this.addresses)]);
      const isUnchanged = before?.sourcePath === path && before.sourceHash?.equals(hash) === true;

      this.counts[isUnchanged ? "unchanged" : before ? "updated" : "created"]++;
      if (file.fields.state === "draft") this.counts.drafts++;
      if (isUnchanged && !this.options.recheck) return async () => {};
      this.findings.push(...reference.findings);
      if (isUnchanged || this.options.dryRun) {
        const checking = this.preparing.check(path, file);
        checking.catch(() => {});
        return async () => this.keep(path, await checking);
      }
      const preparing = this.preparing.prepare(path, file);
      preparing.catch(() => {});
      return async () => {
        const { body, ...checked } = await preparing;
        this.keep(path, checked);
        await this.store.add({ category: planned.category, article: articleOf(planned, file, reference, body, hash) });
      };
    } catch (error) {
      this.problems.push(problemOf(path, error));
      return async () => {};
    }
  }

  private keep(path: string, { headings, findings, anchors }: CheckedBody): void {
    this.headings.set(path, headings);
    this.findings.push(...findings);
    this.anchors.push(...anchors);
  }

  private async updateCategories(): Promise<void> {
    const changeable = this.plan.categories.all().filter((category: PlannedCategory) => category.before);
    await inWorkspace(
      this.options.workspace.id,
      async (db) => {
        for (const category of changeable) await updateCategory(db, category);
      },
      120,
    );
  }

  private async audit({ created, updated, unchanged, categories }: ImportResult): Promise<void> {
    const { workspace, actor, path } = this.options;
    const details = { path, created, updated, unchanged, categories };
    const subject = { kind: "workspace", ...workspace };
    await inWorkspace(workspace.id, (db) => recordAudit(db, actor, "articles.imported", subject, details));
  }
}

function articleOf(
  { id, slug, category, before, path, contentHash }: PlannedFile,
  { fields, title }: ArticleFile,
  { authorId, relatedIds }: Reference,
  body: DerivedText,
  hash: Buffer,
) {
  const sameFile = before?.sourceHash?.subarray(0, contentHash.length).equals(contentHash) === true;
  return {
    ...{ id, slug, category, authorId, title, body, relatedIds },
    state: fields.state ?? ("published" as const),
    sequence: fields.sequence ?? 0,
    keywords: fields.keywords ?? [],
    tags: fields.tags ?? [],
    pageTitle: fields.pageTitle ?? null,
    metaDescription: fields.description ?? null,
    showTableOfContents: fields.showTableOfContents ?? true,
    // An article cannot have changed before it was made.
    createdAt: fields.createdAt ?? (before ? null : (fields.updatedAt ?? null)),
    updatedAt: fields.updatedAt ?? (sameFile ? before.updatedAt : before ? undefined : fields.createdAt) ?? new Date(),
    source: { path, hash },
  };
}

function byPlace(a: { path: string; line?: number }, b: { path: string; line?: number }): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : (a.line ?? 0) - (b.line ?? 0);
}
