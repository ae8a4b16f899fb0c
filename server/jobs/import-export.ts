import { createReadStream, createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Actor } from "@/lib/audit/audit";
import { inWorkspace, readWorkspace } from "@/lib/db";
import { env } from "@/lib/env";
import { UnavailableError } from "@/lib/errors";
import { exportLines } from "@/lib/export/report";
import type { ExportResult } from "@/lib/export/run";
import { reportLines } from "@/lib/import/report";
import type { ImportResult } from "@/lib/import/result";
import { makeFolder } from "@/lib/import-export/folders";
import { PartsWriter, readParts } from "@/lib/import-export/parts";
import { claimRun, dropOldExports, type Run, type RunReport, releaseRun } from "@/lib/import-export/runs";
import { runInThread } from "@/lib/import-export/thread";
import { log } from "@/lib/log";
import { findMember } from "@/lib/members/members";
import { findSettings } from "@/lib/settings/settings";
import { commitNaming, removeBytes } from "@/lib/uploads/commit";

/** How often progress is stored, in milliseconds. It also tells other servers that this run is alive. */
const NOTE_MS = 1_000;

/** A run that may be what crashes the server is not started again. */
const MOST_CRASHES = 2;

/** The maximum number of report lines that are stored. */
const MOST_LINES = 5_000;

/**
 * Runs an import or export that a member started, and stores the outcome. An interrupted run starts again from the
 * beginning: an import then finds its stored articles unchanged.
 * @param stop interrupts the work, which then runs again
 * @param run for tests that need no thread
 * @throws UnavailableError, and the reason of `stop`
 */
export async function workRun(workspaceId: string, id: string, stop: AbortSignal, run = runInThread): Promise<void> {
  const claimed = await inWorkspace(workspaceId, (db) => claimRun(db, id));
  if (!claimed) return;
  const cancelled = new AbortController();
  const work = new Work(workspaceId, claimed, cancelled, run);
  const signal = AbortSignal.any([stop, cancelled.signal]);
  try {
    signal.throwIfAborted();
    if (claimed.crashes >= MOST_CRASHES) throw new Error(CRASHED);
    if (claimed.kind === "export") await work.export(signal);
    else await work.import(signal);
  } catch (error) {
    if (cancelled.signal.aborted) return;
    if (stop.aborted || error instanceof UnavailableError) {
      await inWorkspace(workspaceId, (db) => releaseRun(db, id)).catch(() => {});
      throw error;
    }
    const isForPeople = isSentence(error);
    if (!isForPeople) log().error({ err: error }, "An import or export failed.");
    const problem = isForPeople
      ? error.message
      : "It failed with an error that retrying won't fix. Ask the operator to check the server's log.";
    await work.end({ state: "failed", problem });
  } finally {
    work.close();
  }
}

const CRASHED =
  "The server crashed twice during this run, so it was not started again. Ask the operator to check the server's log.";

/** Whether the message is for the member who started the run. System errors, such as a full disk, have a code. */
const isSentence = (error: unknown): error is Error =>
  error instanceof Error && error.name === "Error" && !("code" in error);

class Work {
  private progress: { phase?: string; done?: number; total?: number } = {};
  private noting = false;
  private readonly timer = setInterval(() => this.note(), NOTE_MS);
  private readonly onProgress = (progress: { phase: string; done: number; total: number }) => {
    this.progress = progress;
  };

  constructor(
    private readonly workspaceId: string,
    private readonly run: Run,
    private readonly cancelled: AbortController,
    private readonly runTask: typeof runInThread,
  ) {}

  async export(signal: AbortSignal): Promise<void> {
    const folder = await makeFolder(env().dataDir);
    const writer = new PartsWriter(this.workspaceId);
    let isKept = false;
    try {
      const out = join(folder, "export.zip");
      const result = await this.runTask(
        "export",
        { workspace: { id: this.workspaceId }, secret: env().authSecret, out },
        { onProgress: this.onProgress, signal },
      );
      await pipeline(createReadStream(out), writer, { signal });
      await writer.storeRest();
      isKept = true;
      isKept = await commitNaming(writer.keys, () =>
        this.end({ state: "done", parts: writer.keys, byteSize: writer.byteSize, report: reportOfExport(result) }),
      );
      await removeBytes(await inWorkspace(this.workspaceId, dropOldExports));
    } finally {
      if (!isKept) await removeBytes(writer.keys);
      await rm(folder, { recursive: true, force: true });
    }
  }

  async import(signal: AbortSignal): Promise<void> {
    const { state, parts, byteSize, asDrafts, createdBy, createdByName, filename, done } = this.run;
    const dryRun = state === "checking";
    const folder = await makeFolder(env().dataDir);
    try {
      const path = join(folder, filename.replace(/[^\w.-]/g, "_"));
      await pipeline(readParts(parts, byteSize), createWriteStream(path, { mode: 0o600 }), { signal });
      const workspace = await readWorkspace(this.workspaceId, findSettings);
      if (!workspace) return;
      const actor: Actor = { kind: createdBy ? "member" : "system", id: createdBy, name: createdByName };
      const result = await this.runTask(
        "import",
        {
          workspace: { id: this.workspaceId, name: workspace.name },
          path,
          dryRun,
          asDrafts,
          author: await this.author(),
          actor,
          secret: env().authSecret,
          // After an interruption, the report also lists the links of articles that the earlier run stored.
          recheck: done > 0,
        },
        { onProgress: this.onProgress, signal },
      ).catch((error: unknown) => {
        // Members don't know this path.
        throw isSentence(error) ? new Error(error.message.replaceAll(path, filename)) : error;
      });
      if (result.interrupted) signal.throwIfAborted();
      await this.end({ state: dryRun ? "ready" : "done", report: reportOf(result) });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** The email of the member who started the run, unless they left since. */
  private async author(): Promise<string | undefined> {
    const { createdBy } = this.run;
    const member = createdBy && (await readWorkspace(this.workspaceId, (read) => findMember(read, createdBy)));
    return member && member.active ? member.email : undefined;
  }

  /** @returns whether it was still wanted */
  async end(data: {
    state: Run["state"];
    problem?: string;
    parts?: string[];
    byteSize?: number;
    report?: RunReport;
  }): Promise<boolean> {
    const { id, kind, state, parts } = this.run;
    const { report, ...rest } = data;
    const isOver = data.state === "failed" || (kind === "import" && data.state === "done");
    const { count } = await inWorkspace(this.workspaceId, (db) =>
      db.transfer.updateMany({
        where: { id, state },
        data: {
          ...rest,
          ...(report && { report: { ...report } }),
          updatedAt: new Date(),
          ...(isOver && { parts: [], byteSize: 0 }),
        },
      }),
    );
    if (isOver && count > 0) await removeBytes(parts);
    return count > 0;
  }

  close(): void {
    clearInterval(this.timer);
  }

  /** Stores the progress, and checks whether a member cancelled the run. */
  private note(): void {
    if (this.noting) return;
    this.noting = true;
    const { id, state } = this.run;
    const data = { ...this.progress, updatedAt: new Date() };
    inWorkspace(this.workspaceId, (db) => db.transfer.updateMany({ where: { id, state }, data }))
      .then(
        ({ count }) => {
          if (count === 0) this.cancelled.abort(new Error("It was canceled."));
        },
        () => {},
      )
      .finally(() => {
        this.noting = false;
      });
  }
}

function reportOfExport(result: ExportResult): RunReport {
  const { articles, drafts, categories, files } = result;
  const lines = exportLines(result);
  return {
    files: articles,
    created: articles,
    updated: 0,
    unchanged: 0,
    drafts,
    categories,
    uploads: files,
    problems: lines.length,
    absent: 0,
    isExport: true,
    lines: lines.slice(0, MOST_LINES),
    more: Math.max(0, lines.length - MOST_LINES),
  };
}

function reportOf({
  files,
  created,
  updated,
  unchanged,
  drafts,
  categories,
  uploads,
  ...result
}: ImportResult): RunReport {
  const lines = reportLines({ files, created, updated, unchanged, drafts, categories, uploads, ...result });
  return {
    files,
    created,
    updated,
    unchanged,
    drafts,
    categories,
    uploads,
    problems: result.problems.length,
    absent: result.gone.length,
    isExport: result.isExport,
    lines: lines.slice(0, MOST_LINES),
    more: Math.max(0, lines.length - MOST_LINES),
  };
}
