import { eachField } from "@/lib/articles/article-text";
import { type Actor, memberId, recordAudit } from "@/lib/audit/audit";
import type { DerivedText } from "@/lib/content/derive";
import { inWorkspace } from "@/lib/db";
import { announce } from "@/lib/events/announce";
import { Addresses } from "@/lib/import/addresses";
import { missingAnchors } from "@/lib/import/anchors";
import { type ArticleFile, readArticleFile } from "@/lib/import/article-file";
import { bringAuthors } from "@/lib/import/authors";
import { updateCategories } from "@/lib/import/categories";
import { storeData, storeSnippets } from "@/lib/import/data";
import { defaultAuthor, membersByEmail, readExisting } from "@/lib/import/existing";
import { storeFiles } from "@/lib/import/files";
import type { Source } from "@/lib/import/listing";
import { contextHash, EDITED, hashOf, type Plan, type PlannedFile, planImport, problemOf } from "@/lib/import/plan";
import { type AnchorLink, type CheckedBody, checkedBody, type Finding, preparedBody } from "@/lib/import/prepare";
import { FileError, type Problem } from "@/lib/import/problem";
import { type Reference, References } from "@/lib/import/references";
import type { ImportResult } from "@/lib/import/result";
import { openSource } from "@/lib/import/source";
import { type ImportedArticle, Store } from "@/lib/import/store";

export interface ImportOptions {
  workspace: { id: string; name: string };
  path: string;
  /** The author's email for files that name none. The first administrator by default. */
  author?: string;
  dryRun?: boolean;
  /** Makes new articles drafts. Ignored for an export, which restores articles as they were. */
  asDrafts?: boolean;
  /** Also checks the links of unchanged files. */
  recheck?: boolean;
  actor: Actor;
  /** Files to leave out because an earlier try could not read them. */
  skip?: readonly Problem[];
  onProgress?: (progress: Progress) => void;
  /** Called with the path of a file before the work on it, and without one afterward. */
  onFile?: (path?: string) => void;
  /** Called after each stored batch with the totals. */
  onStored?: (counts: Stored) => void;
  /** Files of an export with a seal of this secret are stored unchanged (lib/export/format.ts). */
  secret?: string;
  /** Stops after the current batch. */
  signal?: AbortSignal;
}

export type Stored = Pick<ImportResult, "created" | "updated" | "categories">;

export interface Progress {
  phase: "reading" | "files" | "importing" | "exporting";
  done: number;
  total: number;
}

/**
 * Imports a folder or zip of Markdown and HTML. Files are recognized by permalink or path, so another run updates changed
 * articles and completes an interrupted run.
 * @throws Error to show when nothing can be imported, or UnavailableError when the database goes away
 */
export async function importArticles(given: ImportOptions): Promise<ImportResult> {
  const options = { ...given, actor: { ...given.actor, importing: true } };
  const { workspace, onProgress } = options;
  const source = await openSource(options.path);
  try {
    const author = await defaultAuthor(workspace.id, options.author);
    const existing = await readExisting(workspace.id);
    const total = source.articles.length;
    const reading = (done: number) => onProgress?.({ phase: "reading", done, total });
    const { skip = [], asDrafts, onFile, signal } = options;
    const plan = await planImport(source, existing, { skip, asDrafts, onProgress: reading, onFile, signal });
    if (!plan) return nothingOf(source);
    const { files, problems } = await storeFiles(source, {
      workspaceId: workspace.id,
      paths: plan.others,
      by: memberId(options.actor),
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
    const store = new Store(
      workspace.id,
      existing.articles,
      plan.categories,
      options.dryRun === true,
      options.onStored,
    );
    return await new Run(options, source, plan, references, store).run();
  } finally {
    await source.close();
  }
}

function nothingOf(source: Source): ImportResult {
  return {
    isExport: source.data !== null,
    files: source.articles.length,
    created: 0,
    updated: 0,
    unchanged: 0,
    drafts: 0,
    categories: 0,
    uploads: 0,
    problems: [],
    findings: [],
    flattened: [],
    gone: [],
    opened: [],
    kept: [],
    interrupted: true,
  };
}

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
  ) {
    this.addresses = new Addresses(plan.book);
    this.problems = [...plan.problems];
  }

  async run(): Promise<ImportResult> {
    const { signal, onProgress, dryRun, workspace } = this.options;
    const { data } = this.source;
    if (!dryRun) await this.updateCategories();
    // Before the articles, whose texts are derived with them.
    if (data && !dryRun) {
      this.problems.push(...(await storeSnippets(workspace.id, data, this.addresses, this.options.actor)));
    }
    const total = this.plan.files.length;
    const { onFile } = this.options;
    let done = 0;
    for (const planned of this.plan.files) {
      if (signal?.aborted) break;
      onFile?.(planned.path);
      const article = await this.prepare(planned);
      onFile?.();
      if (article) await this.store.add({ planned, article });
      done++;
      onProgress?.({ phase: "importing", done, total });
    }
    await this.store.finish(done === total);
    if (data && done === total && !dryRun) {
      this.problems.push(...(await storeData(workspace.id, data, this.options.actor)));
    }
    const missing = await missingAnchors(workspace.id, this.anchors, this.headings, this.plan.files);
    const { unchanged, drafts } = this.counts;
    const { created, updated } = dryRun ? this.counts : this.store;
    const result: ImportResult = {
      isExport: data !== null,
      files: this.source.articles.length,
      created,
      updated,
      unchanged,
      drafts,
      uploads: this.plan.book.files.size,
      categories: dryRun ? this.plan.categories.missing().length : this.store.categories,
      problems: [...this.problems, ...this.store.problems].sort(byPlace),
      findings: [...this.findings, ...missing].sort(byPlace),
      flattened: this.plan.flattened,
      gone: this.plan.gone,
      opened: this.plan.opened,
      kept: [...this.plan.kept, ...this.store.left.map((path) => ({ path, message: EDITED }))],
      interrupted: done < total,
    };
    if (!dryRun) await this.report(result);
    return result;
  }

  private async prepare(planned: PlannedFile): Promise<ImportedArticle["article"] | undefined> {
    const { path, before, contentHash, isLeft } = planned;
    let at = path;
    if (isLeft) {
      this.counts.unchanged++;
      return undefined;
    }
    try {
      const isExport = this.source.data !== null;
      const bytes = await this.source.read(path);
      const draftBytes = planned.draft === undefined ? undefined : await this.source.read(planned.draft);
      if (!hashOf(bytes, ...(draftBytes ? [draftBytes] : [])).equals(contentHash))
        throw new FileError("The file changed during the import. Run the import again.");
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
      if (planned.state === "draft" || texts.length > 1) this.counts.drafts++;
      if (isUnchanged && !this.options.recheck) return undefined;
      for (const { reference } of texts) for (const finding of reference.findings) this.findings.push(finding);
      if (isUnchanged || this.options.dryRun) {
        for (const { path, file } of texts) this.keep(path, checkedBody(path, file, this.addresses));
        return undefined;
      }
      const bodies: DerivedText[] = [];
      for (const { path, file } of texts) {
        const { body, ...checked } = await preparedBody(this.options.workspace.id, path, file, this.addresses);
        this.keep(path, checked);
        bodies.push(body);
      }
      const article = articleOf(planned, text, bodies[0] as DerivedText, hash);
      const draft = texts[1] && bodies[1] ? draftOf(texts[1], bodies[1]) : undefined;
      return { ...article, ...(draft && { draft }) };
    } catch (error) {
      this.problems.push(problemOf(at, error));
      return undefined;
    }
  }

  private textOf(path: string, file: ArticleFile): FileText {
    const reference = this.references.resolve(path, file.fields, this.addresses);
    const attachmentIds = file.fields.attachments?.flatMap((href) => {
      const other = this.addresses.otherAt(path, href);
      const stored = other === undefined ? undefined : this.plan.book.files.get(other);
      if (!stored) this.findings.push({ kind: "left_out_file", path, href });
      return stored?.id ?? [];
    });
    // An export names all attachments of an article. Other files say nothing about them.
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
      (db) => updateCategories(db, this.plan.categories, this.options.actor),
      120,
    );
  }

  private async report({ created, updated, unchanged, categories, interrupted }: ImportResult): Promise<void> {
    const { workspace, actor, path } = this.options;
    const details = { path, created, updated, unchanged, categories };
    const subject = { kind: "workspace", ...workspace };
    await inWorkspace(workspace.id, async (db) => {
      if (created + updated + categories > 0) await recordAudit(db, actor, "articles.imported", subject, details);
      // Also when an interrupted run stored everything, and this one found nothing to change.
      if (!interrupted) await announce(db, actor, "import.finished", [{ subject, details }]);
    });
  }
}

interface FileText {
  path: string;
  file: ArticleFile;
  reference: Reference;
  attachmentIds: string[] | undefined;
}

function articleOf(planned: PlannedFile, text: FileText, body: DerivedText, hash: Buffer) {
  const { id, slug, category, before, path, contentHash, state, sequence, permalink } = planned;
  const { fields } = text.file;
  const sameFile = before?.sourceHash?.subarray(0, contentHash.length).equals(contentHash) === true;
  return {
    id,
    slug,
    category,
    state,
    sequence,
    permalink,
    authorId: text.reference.authorId,
    ...textToStore(text, body),
    publishedAt: fields.publishedAt ?? null,
    publishAt: fields.publishAt ?? null,
    // An article cannot have changed before it was created.
    createdAt: fields.createdAt ?? (before ? null : (fields.updatedAt ?? null)),
    updatedAt: fields.updatedAt ?? (sameFile ? before.updatedAt : before ? undefined : fields.createdAt) ?? new Date(),
    source: { path, hash },
  };
}

function draftOf(text: FileText, body: DerivedText) {
  const updatedAt = text.file.fields.updatedAt ?? new Date();
  return { ...textToStore(text, body), updatedAt, updatedBy: text.reference.authorId };
}

function textToStore({ file: { fields, title }, reference, attachmentIds }: FileText, body: DerivedText) {
  return {
    ...eachField((name, { empty }) => (name === "html" ? "" : (fields[name] ?? empty))),
    title,
    body,
    tags: fields.tags ?? [],
    relatedIds: reference.relatedIds,
    attachmentIds,
  };
}

function byPlace(a: { path: string; line?: number }, b: { path: string; line?: number }): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : (a.line ?? 0) - (b.line ?? 0);
}
