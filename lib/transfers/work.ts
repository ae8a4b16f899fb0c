import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import type { Actor } from "@/lib/audit";
import { inWorkspace, readWorkspace } from "@/lib/db";
import { env } from "@/lib/env";
import { UnavailableError } from "@/lib/errors";
import { exportLines } from "@/lib/export/report";
import { type ExportResult, type ExportState, exportPiece } from "@/lib/export/run";
import { reportLines } from "@/lib/import/report";
import type { ImportResult } from "@/lib/import/result";
import { importArticles } from "@/lib/import/run";
import { enqueue } from "@/lib/jobs";
import { log } from "@/lib/log";
import { findSettings } from "@/lib/settings";
import { dropOldExports, findTransfer, type Transfer, type TransferReport } from "@/lib/transfers";
import { makeImportFolder } from "@/lib/transfers/folders";
import { PartsWriter, readParts } from "@/lib/transfers/parts";
import { commitNaming, removeBytes } from "@/lib/uploads/commit";

/** No job may take for ever: after so long a transfer stops after what is at hand, and goes on in a job of its own. */
const SLICE_MS = 7 * 60_000;
/** What is at hand may take so long. Then, before others take the job for left behind, the transfer fails. */
const GRACE_MS = 60_000;
/** Between two notes of how far it is. */
const NOTE_MS = 1_000;
/** For what a long export leaves to its next piece: megabytes, of a large workspace. */
const NOTE_SECONDS = 60;

const NO_HEADWAY = {
  export:
    "It got no further within the time that a piece of an export may take. Try it again when less is going on here, or export the workspace on the command line.",
  import:
    "It got no further within the time that a piece of an import may take. What is imported stays: import the rest in smaller archives, or on the command line.",
};

const [packed, unpacked] = [promisify(gzip), promisify(gunzip)];

/** What a piece of an export leaves to the next: how far it is, and what is in no part yet, in base64. */
interface Continuation {
  state: ExportState;
  written: { byteSize: number; rest: string };
}

/** The most lines of a report that are kept. */
const MOST_LINES = 5_000;

/**
 * Does the next piece of a transfer, and writes down what became of it. Done again after it was cut off, it goes on from
 * the end of the piece before. What gets no further in a piece fails: it would not in the next.
 * @param stop ends the work, which is then done again
 * @param sliceMs how long the piece may take, in milliseconds
 * @throws UnavailableError, and what `stop` was aborted with
 */
export async function workTransfer(
  workspaceId: string,
  id: string,
  stop: AbortSignal,
  sliceMs = SLICE_MS,
): Promise<void> {
  const transfer = await readWorkspace(
    workspaceId,
    async (read) => (await findTransfer(read, "export", id)) ?? (await findTransfer(read, "import", id)),
  );
  if (transfer?.state !== "checking" && transfer?.state !== "running") return;
  const cancelled = new AbortController();
  const work = new Work(workspaceId, transfer, cancelled, sliceMs);
  const signal = AbortSignal.any([stop, cancelled.signal]);
  try {
    if (transfer.kind === "export") await work.export(signal);
    else await work.import(signal);
  } catch (error) {
    // What was cancelled says so already; what was stopped is done again.
    if (cancelled.signal.aborted) return;
    if (stop.aborted || error instanceof UnavailableError) throw error;
    const isTold = isForPeople(error);
    if (!isTold) log().error({ err: error }, "An import or export failed.");
    const problem = isTold ? error.message : "It met an error that trying again does not mend.";
    await work.end({ state: "failed", problem });
  }
}

/** Whether an error says what to do to who began the transfer; one of the system, such as of a full disk, has a code. */
const isForPeople = (error: unknown): error is Error =>
  error instanceof Error && error.name === "Error" && !("code" in error);

class Work {
  private noted = 0;
  private noting = false;

  constructor(
    private readonly workspaceId: string,
    private readonly transfer: Transfer,
    private readonly cancelled: AbortController,
    private readonly sliceMs: number,
  ) {}

  async export(signal: AbortSignal): Promise<void> {
    const { id, parts } = this.transfer;
    const begun = await this.continuation(id);
    const writer = new PartsWriter(this.workspaceId, begun?.written);
    const late = AbortSignal.timeout(this.sliceMs + GRACE_MS);
    let isKept = false;
    try {
      const from = begun?.state ?? null;
      const before = from?.zip.entries ?? 0;
      const { next, result } = await exportPiece(
        {
          ...{ workspace: { id: this.workspaceId }, secret: env().authSecret, from },
          onProgress: ({ done, total }) => this.note("exporting", done, total),
          signal: AbortSignal.any([signal, late]),
          until: AbortSignal.timeout(this.sliceMs),
        },
        writer,
      ).catch((error: unknown) => {
        if (!late.aborted || signal.aborted) throw error;
        throw new Error(NO_HEADWAY.export);
      });
      if (next && next.zip.entries <= before) throw new Error(NO_HEADWAY.export);
      if (!next) await writer.storeRest();
      const keys = [...parts, ...writer.keys];
      if (!next) {
        isKept = true;
        isKept = await commitNaming(writer.keys, () =>
          this.end({ state: "done", parts: keys, byteSize: writer.byteSize, report: reportOfExport(result) }),
        );
        await removeBytes(await inWorkspace(this.workspaceId, dropOldExports));
      } else {
        const written = { byteSize: writer.byteSize, rest: writer.rest.toString("base64") };
        const continuation = await packed(Buffer.from(JSON.stringify({ state: next, written })));
        isKept = true;
        isKept = await commitNaming(writer.keys, () =>
          this.goOn({ parts: keys, continuation: new Uint8Array(continuation) }),
        );
      }
    } finally {
      if (!isKept) await removeBytes(writer.keys);
    }
  }

  /** What the piece before this one left; null for the first. */
  private async continuation(
    id: string,
  ): Promise<{ state: ExportState; written: { byteSize: number; rest: Buffer } } | null> {
    const row = await inWorkspace(this.workspaceId, (db) =>
      db.transfer.findFirst({ where: { id }, select: { continuation: true } }),
    );
    if (!row?.continuation) return null;
    const text = (await unpacked(row.continuation)).toString();
    const { state, written } = JSON.parse(text) as Continuation;
    return { state, written: { byteSize: written.byteSize, rest: Buffer.from(written.rest, "base64") } };
  }

  async import(stop: AbortSignal): Promise<void> {
    const { state, parts, byteSize, createdBy, createdByName } = this.transfer;
    const dryRun = state === "checking";
    const folder = await makeImportFolder(env().dataDir);
    try {
      const path = join(folder, this.transfer.filename.replace(/[^\w.-]/g, "_"));
      await pipeline(readParts(parts, byteSize), createWriteStream(path, { mode: 0o600 }), { signal: stop });
      const workspace = await readWorkspace(this.workspaceId, findSettings);
      if (!workspace) return;
      const actor: Actor = { kind: createdBy ? "member" : "system", id: createdBy, name: createdByName };
      const result = await importArticles({
        ...{ workspace: { id: this.workspaceId, name: workspace.name }, path, dryRun, actor },
        secret: env().authSecret,
        onProgress: ({ phase, done, total }) => this.note(phase, done, total),
        signal: AbortSignal.any([stop, AbortSignal.timeout(this.sliceMs)]),
      }).catch((error: unknown) => {
        // The archive has no path that anybody knows.
        throw isForPeople(error) ? new Error(error.message.replaceAll(path, this.transfer.filename)) : error;
      });
      if (result.interrupted) stop.throwIfAborted();
      const report = reportOf(result, dryRun ? null : this.transfer.report);
      if (!result.interrupted) await this.end({ state: dryRun ? "ready" : "done", report });
      else if (dryRun) throw new Error("The archive is too large to be looked at here: import it on the command line.");
      else {
        const before = this.transfer.report;
        const isFurther = result.created > 0 || result.reached > (before?.reached ?? 0);
        if (!isFurther && result.uploads <= (before?.uploads ?? 0)) throw new Error(NO_HEADWAY.import);
        await this.goOn({ report: { ...report } });
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** @returns whether it was still wanted */
  async end(data: {
    state: Transfer["state"];
    problem?: string;
    parts?: string[];
    byteSize?: number;
    report?: TransferReport;
  }): Promise<boolean> {
    const { id, kind, state, parts } = this.transfer;
    const { report, ...rest } = data;
    const isOver = data.state === "failed" || (kind === "import" && data.state === "done");
    const { count } = await inWorkspace(this.workspaceId, (db) =>
      db.transfer.updateMany({
        where: { id, state },
        data: {
          ...{ ...rest, ...(report && { report: { ...report } }), continuation: null, updatedAt: new Date() },
          ...(isOver && { parts: [], byteSize: 0 }),
        },
      }),
    );
    // Nobody needs its bytes any more, and no quota counts them.
    if (isOver && count > 0) await removeBytes(parts);
    return count > 0;
  }

  /** Has the next piece done. @returns whether it is still wanted */
  private async goOn(given: {
    report?: object;
    parts?: string[];
    continuation?: Uint8Array<ArrayBuffer>;
  }): Promise<boolean> {
    const { id, state } = this.transfer;
    return inWorkspace(
      this.workspaceId,
      async (db) => {
        const { count } = await db.transfer.updateMany({
          where: { id, state },
          data: { ...given, updatedAt: new Date() },
        });
        if (count > 0) await enqueue(db, "transfer", { transferId: id });
        return count > 0;
      },
      NOTE_SECONDS,
    );
  }

  /** Writes down how far it is, now and then; finds out at the same time whether it was cancelled. */
  private note(phase: string, done: number, total: number): void {
    if (this.noting || Date.now() - this.noted < NOTE_MS) return;
    this.noting = true;
    this.noted = Date.now();
    const { id, state } = this.transfer;
    const data = { phase, done, total, updatedAt: new Date() };
    inWorkspace(this.workspaceId, (db) => db.transfer.updateMany({ where: { id, state }, data }))
      .then(
        ({ count }) => {
          if (count === 0) this.cancelled.abort(new Error("It was cancelled."));
        },
        // The next note may be written.
        () => {},
      )
      .finally(() => {
        this.noting = false;
      });
  }
}

/** Of an export, what is in the archive, and what is not: as of an import of it. */
function reportOfExport(result: ExportResult): TransferReport {
  const { articles, drafts, categories, files } = result;
  const lines = exportLines(result);
  return {
    ...{ files: articles, created: articles, updated: 0, unchanged: 0, drafts, categories, uploads: files },
    ...{ problems: lines.length, lines: lines.slice(0, MOST_LINES), more: Math.max(0, lines.length - MOST_LINES) },
  };
}

/** With what earlier pieces of the same import did. */
function reportOf(result: ImportResult, before: TransferReport | null): TransferReport {
  const lines = [...new Set([...(before?.lines ?? []), ...reportLines(result)])];
  const created = result.created + (before?.created ?? 0);
  const updated = result.updated + (before?.updated ?? 0);
  return {
    files: result.files,
    ...{ created, updated },
    unchanged: before ? Math.max(0, result.files - created - updated - result.problems.length) : result.unchanged,
    drafts: result.drafts,
    categories: result.categories + (before?.categories ?? 0),
    uploads: Math.max(result.uploads, before?.uploads ?? 0),
    ...(result.interrupted && { reached: Math.max(result.reached, before?.reached ?? 0) }),
    problems: result.problems.length,
    lines: lines.slice(0, MOST_LINES),
    more: Math.max(0, lines.length - MOST_LINES) + (before?.more ?? 0),
  };
}
