import { type Actor, recordAudit } from "@/lib/audit";
import { inWorkspace } from "@/lib/db";
import { Addresses } from "@/lib/import/addresses";
import { missingAnchors } from "@/lib/import/anchors";
import { type ArticleFile, readArticleFile } from "@/lib/import/article-file";
import { bringAuthors } from "@/lib/import/authors";
import { updateCategories } from "@/lib/import/categories";
import { storeData } from "@/lib/import/data";
import { LEFT_PUBLISHED } from "@/lib/import/decisions";
import { defaultAuthor, membersByEmail, readExisting } from "@/lib/import/existing";
import { storeFiles } from "@/lib/import/files";
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
  /** What seals the files of exports (lib/archive.ts): those with a seal are taken as they are. */
  secret?: string;
  /** Stops after the batch at hand. */
  signal?: AbortSignal;
}

export interface Progress {
  phase: "reading" | "files" | "importing";
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
    const reading = (done: number) => onProgress?.({ phase: "reading", done, total });
    const plan = await planImport(source, existing, reading, options.signal);
    if (!plan) return nothingOf(source);
    const { files, problems } = await storeFiles(source, {
      workspaceId: workspace.id,
      paths: plan.others,
      by: options.actor.kind === "member" ? options.actor.id : null,
      secret: options.secret,
      dryRun: options.dryRun === true,
      signal: options.signal,
      onFile: (done) => onProgress?.({ phase: "files", done, total: plan.others.length }),
    });
    plan.book = { ...plan.book, files };
    plan.problems.push(...problems);
    const named = source.data?.authors.filter(({ email }) => plan.emails.has(email)) ?? [];
    const authors = await membersByEmail(workspace.id, plan.emails);
    if (!options.dryRun) plan.problems.push(...(await bringAuthors(workspace.id, named, authors, options.actor)));
    else for (const { email } of named) authors.set(email.toLowerCase(), author.id);
    const references = new References(existing, plan, authors, author.id);
    const store = new Store(workspace.id, existing.articles, plan.categories, options.dryRun === true);
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

/** It was stopped before anything was known of it. */
function nothingOf(source: Source): ImportResult {
  return {
    ...{ files: source.articles.length, created: 0, updated: 0, unchanged: 0, drafts: 0, categories: 0, uploads: 0 },
    ...{ problems: [], findings: [], flattened: [], gone: [], keptDrafts: [], opened: [], kept: [] },
    ...{ reached: 0, interrupted: true },
  };
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
    const { data } = this.source;
    if (data && done === total && !dryRun) {
      this.problems.push(...(await storeData(workspace.id, data, this.options.actor)));
    }
    const missing = await missingAnchors(workspace.id, this.anchors, this.headings, this.plan.files);
    const { unchanged, drafts } = this.counts;
    const { created, updated } = dryRun ? this.counts : this.store;
    const result: ImportResult = {
      files: this.source.articles.length,
      ...{ created, updated, unchanged, drafts },
      uploads: this.plan.book.files.size,
      categories: dryRun ? this.plan.categories.missing().length : this.store.categories,
      problems: [...this.problems, ...this.store.problems].sort(byPlace),
      findings: [...this.findings, ...missing].sort(byPlace),
      flattened: this.plan.flattened,
      gone: this.plan.gone,
      keptDrafts: this.store.keptDrafts,
      opened: this.plan.opened,
      kept: [...this.plan.kept, ...this.store.left.map((path) => ({ path, message: LEFT_PUBLISHED }))],
      reached: done,
      interrupted: done < total,
    };
    if (!dryRun && created + updated + result.categories > 0) await this.audit(result);
    return result;
  }

  /** Reads a file and begins what is to be done with it; what it gives back waits for that and stores the outcome. */
  private async begin(planned: PlannedFile): Promise<() => Promise<void>> {
    const { path, before, contentHash, isLeft } = planned;
    let at = path;
    if (isLeft) {
      this.counts.unchanged++;
      return async () => {};
    }
    try {
      const isExport = this.source.data !== null;
      const bytes = await this.source.read(path);
      const draftBytes = planned.draft === undefined ? undefined : await this.source.read(planned.draft);
      if (!hashOf(bytes, ...(draftBytes ? [draftBytes] : [])).equals(contentHash))
        throw new FileError("The file changed while the import ran: run it again.");
      const text = this.textOf(path, readArticleFile(path, bytes, isExport));
      const texts = [text];
      if (planned.draft !== undefined && draftBytes) {
        at = planned.draft;
        texts.push(this.textOf(at, readArticleFile(at, draftBytes, isExport)));
      }
      const hash = Buffer.concat([
        contentHash,
        contextHash(
          path,
          texts.map(({ file, reference }) => ({ body: file.body, reference })),
          this.addresses,
        ),
      ]);
      const isUnchanged = before?.sourcePath === path && before.sourceHash?.equals(hash) === true;

      this.counts[isUnchanged ? "unchanged" : before ? "updated" : "created"]++;
      if (text.file.fields.state === "draft" || texts.length > 1) this.counts.drafts++;
      if (isUnchanged && !this.options.recheck) return async () => {};
      for (const { reference } of texts) for (const finding of reference.findings) this.findings.push(finding);
      if (isUnchanged || this.options.dryRun) {
        const checking = Promise.all(texts.map(({ path, file }) => this.preparing.check(path, file)));
        checking.catch(() => {});
        return async () => {
          for (const [index, checked] of (await checking).entries()) this.keep(texts[index]?.path as string, checked);
        };
      }
      const preparing = Promise.all(texts.map(({ path, file }) => this.preparing.prepare(path, file)));
      preparing.catch(() => {});
      return async () => {
        const prepared = await preparing;
        for (const [index, { body: _, ...checked }] of prepared.entries())
          this.keep(texts[index]?.path as string, checked);
        const [body, draftBody] = prepared.map(({ body }) => body);
        const article = articleOf(planned, text, body as DerivedText, hash);
        const draft = texts[1] && draftBody ? draftOf(texts[1], draftBody) : undefined;
        await this.store.add({ category: planned.category, article: { ...article, ...(draft && { draft }) } });
      };
    } catch (error) {
      this.problems.push(problemOf(at, error));
      return async () => {};
    }
  }

  private textOf(path: string, file: ArticleFile): FileText {
    const reference = this.references.of(path, file.fields, this.addresses);
    const attachmentIds = file.fields.attachments?.flatMap((href) => {
      const other = this.addresses.otherAt(path, href);
      const stored = other === undefined ? undefined : this.plan.book.files.get(other);
      if (!stored) this.findings.push({ kind: "left_out_file", path, href });
      return stored?.id ?? [];
    });
    // What an export does not name, its article does not have; others say nothing of attachments.
    return { path, file, reference, attachmentIds: attachmentIds ?? (this.plan.book.isExport ? [] : undefined) };
  }

  private keep(path: string, { headings, findings, anchors }: CheckedBody): void {
    this.headings.set(path, headings);
    for (const finding of findings) this.findings.push(finding);
    for (const anchor of anchors) this.anchors.push(anchor);
  }

  private async updateCategories(): Promise<void> {
    await inWorkspace(
      this.options.workspace.id,
      (db) => updateCategories(db, this.plan.categories.all(), this.options.actor),
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

/** A file, and who and what it names. */
interface FileText {
  path: string;
  file: ArticleFile;
  reference: Reference;
  attachmentIds: string[] | undefined;
}

function articleOf(planned: PlannedFile, text: FileText, body: DerivedText, hash: Buffer) {
  const { id, slug, category, before, path, contentHash, state, sequence, permalink, keeps, says } = planned;
  const { fields } = text.file;
  const sameFile = before?.sourceHash?.subarray(0, contentHash.length).equals(contentHash) === true;
  return {
    ...{ id, slug, category, state, sequence, permalink, keeps, authorId: text.reference.authorId },
    ...textToStore(text, body),
    publishedAt: fields.publishedAt ?? null,
    publishAt: fields.publishAt ?? null,
    // An article cannot have changed before it was made.
    createdAt: fields.createdAt ?? (before ? null : (fields.updatedAt ?? null)),
    updatedAt: fields.updatedAt ?? (sameFile ? before.updatedAt : before ? undefined : fields.createdAt) ?? new Date(),
    source: { path, hash, settings: says },
  };
}

function draftOf(text: FileText, body: DerivedText) {
  const updatedAt = text.file.fields.updatedAt ?? new Date();
  return { ...textToStore(text, body), updatedAt, updatedBy: text.reference.authorId };
}

function textToStore({ file: { fields, title }, reference, attachmentIds }: FileText, body: DerivedText) {
  return {
    ...{ title, body, relatedIds: reference.relatedIds, attachmentIds },
    keywords: fields.keywords ?? [],
    tags: fields.tags ?? [],
    pageTitle: fields.pageTitle ?? null,
    metaDescription: fields.description ?? null,
    showTableOfContents: fields.showTableOfContents ?? true,
  };
}

function byPlace(a: { path: string; line?: number }, b: { path: string; line?: number }): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : (a.line ?? 0) - (b.line ?? 0);
}
