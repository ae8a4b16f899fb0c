import { pipeline } from "node:stream/promises";
import { type Actor, memberId, recordAudit } from "@/lib/audit/audit";
import { type Db, inWorkspace, lockWorkspace, type Read, readingOf, readWorkspace } from "@/lib/db";
import { env } from "@/lib/env";
import { InvalidError, type InvalidField, NotFoundError } from "@/lib/errors";
import { bounded } from "@/lib/http/form-file";
import { PartsWriter } from "@/lib/import-export/parts";
import { enqueue } from "@/lib/jobs";
import { commitNaming, removeBytes } from "@/lib/uploads/commit";
import { cleanFilename } from "@/lib/uploads/filename";

export interface RunReport {
  files: number;
  created: number;
  updated: number;
  unchanged: number;
  drafts: number;
  categories: number;
  uploads: number;
  problems: number;
  /** Articles of earlier imports whose files are not in this one. They stay. */
  absent: number;
  /** Whether the zip is an export of Lectern. */
  isExport: boolean;
  lines: string[];
  /** Lines left out. */
  more: number;
}

export interface Run {
  id: string;
  kind: "export" | "import";
  state: "checking" | "ready" | "running" | "done" | "failed" | "cancelled";
  filename: string;
  byteSize: number;
  parts: string[];
  phase: "reading" | "files" | "importing" | "exporting" | null;
  done: number;
  total: number;
  report: RunReport | null;
  /** Whether new articles of an import become drafts. */
  asDrafts: boolean;
  problem: string | null;
  createdBy: string | null;
  createdByName: string;
  createdAt: Date;
  updatedAt: Date;
  /** How often its server was killed or crashed. */
  crashes: number;
}

/** Days until a zip and a report are deleted. */
export const RUN_DAYS = 7;

/** Zips of exports do not count against the quota, so a new one replaces the oldest. */
export const EXPORTS_KEPT = 3;

const ZIP = Buffer.from("PK\x03\x04");

const columns = `id, kind, state, filename, byte_size::float8 AS "byteSize", parts, phase, done, total, report, as_drafts AS "asDrafts", problem, created_by AS "createdBy", created_by_name AS "createdByName", created_at AS "createdAt", updated_at AS "updatedAt", crashes`;

export const MOST_RUNS = 10;

/** Newest first, without report lines. Returns one more than MOST_RUNS if there are more. */
export function listRuns(read: Read, kind: Run["kind"]): Promise<Run[]> {
  return read<Run>(
    `SELECT ${columns.replace("report,", "report - 'lines' AS report,")} FROM transfers
     WHERE kind = $1 ORDER BY created_at DESC, id LIMIT ${MOST_RUNS + 1}`,
    [kind],
  );
}

export async function findRun(read: Read, kind: Run["kind"], id: string): Promise<Run | null> {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) return null;
  const [row] = await read<Run>(`SELECT ${columns} FROM transfers WHERE kind = $1 AND id = $2`, [kind, id]);
  return row ?? null;
}

/** Claims a run that has not started, or whose server has been silent for a minute. Returns null if another job has it. */
export async function claimRun(db: Db, id: string): Promise<Run | null> {
  const [run] = await readingOf(db)<Run>(
    `UPDATE transfers SET crashes = crashes + (phase IS NOT NULL)::int, phase = CASE kind WHEN 'export' THEN 'exporting' ELSE 'reading' END, updated_at = now()
     WHERE id = $1::uuid AND state IN ('checking', 'running')
       AND (phase IS NULL OR updated_at < now() - interval '1 minute') RETURNING ${columns}`,
    [id],
  );
  return run ?? null;
}

export async function releaseRun(db: Db, id: string): Promise<void> {
  await db.transfer.updateMany({ where: { id }, data: { phase: null } });
}

/** @throws InvalidError while another export runs */
export async function startExport(db: Db, workspace: { id: string; name: string; subdomain: string }, actor: Actor) {
  const day = new Date().toISOString().slice(0, 10);
  const id = await create(
    db,
    { kind: "export", state: "running", filename: `${workspace.subdomain}-${day}.zip` },
    actor,
  );
  await recordAudit(db, actor, "workspace.exported", { kind: "workspace", id: workspace.id, name: workspace.name });
  return id;
}

/**
 * Stores an uploaded zip and queues its check. Not to be called inside a transaction.
 * @param content is read up to the limit, and not at all while another import runs
 * @throws InvalidError for an unusable file, and while another import runs
 */
export async function uploadImport(
  workspaceId: string,
  { filename, content }: { filename: string; content: AsyncIterable<Uint8Array> },
  actor: Actor,
): Promise<string> {
  const writer = new PartsWriter(workspaceId);
  await readWorkspace(workspaceId, (read) => refuseBusy(read, "import"));
  let first: Buffer = Buffer.alloc(0);
  const looked = async function* () {
    for await (const chunk of bounded(content, env().importBytes, tooLarge)) {
      if (first.length < 4) first = Buffer.concat([first, chunk.subarray(0, 4)]);
      yield Buffer.from(chunk);
    }
  };
  try {
    await pipeline(looked, writer);
    await writer.storeRest();
    if (first.length === 0) throw refusal("Choose a zip file.", "required");
    if (!first.subarray(0, 4).equals(ZIP)) throw refusal("Not a zip file. Choose a .zip file.");
  } catch (error) {
    await removeBytes(writer.keys);
    throw error;
  }
  const { id, dropped } = await commitNaming(writer.keys, () =>
    inWorkspace(workspaceId, async (db) => {
      // The new zip replaces one that waits.
      const dropped = await dropParts(db, "kind = 'import' AND state = 'ready' FOR UPDATE");
      await db.transfer.updateMany({ where: { kind: "import", state: "ready" }, data: { state: "cancelled" } });
      const fields = { kind: "import", state: "checking", filename: cleanFilename(filename) } as const;
      const id = await create(db, { ...fields, parts: writer.keys, byteSize: writer.byteSize }, actor);
      return { id, dropped };
    }),
  );
  await removeBytes(dropped);
  return id;
}

export function dropOldExports(db: Db): Promise<string[]> {
  return dropParts(
    db,
    `kind = 'export' AND state = 'done' ORDER BY updated_at DESC, id OFFSET ${EXPORTS_KEPT} FOR UPDATE`,
  );
}

/** Returns the keys of parts to remove after the transaction. `which` ends a query of rows that have bytes, and locks them. */
export async function dropParts(db: Db, which: string, values: readonly unknown[] = []): Promise<string[]> {
  const dropped = await readingOf(db)<{ parts: string[] }>(
    `WITH due AS (SELECT id, parts FROM transfers WHERE parts <> '{}' AND ${which})
     UPDATE transfers t SET parts = '{}', byte_size = 0 FROM due WHERE t.id = due.id RETURNING due.parts`,
    values,
  );
  return dropped.flatMap(({ parts }) => parts);
}

/** @throws NotFoundError when there is no such import; InvalidError when it is not ready, or another runs */
export async function startImport(
  db: Db,
  id: string,
  { asDrafts }: { asDrafts: boolean },
  actor: Actor,
): Promise<void> {
  const transfer = await lock(db, "import", id);
  if (transfer.state !== "ready") throw refusal("This import has already started or ended.");
  await refuseSecond(db, "import");
  await db.$executeRaw`
    UPDATE transfers SET state = 'running', phase = NULL, done = 0, total = 0, report = NULL, as_drafts = ${asDrafts}, updated_at = now()
    WHERE id = ${id}::uuid`;
  await enqueue(db, "transfer", { transferId: id });
  await recordAudit(db, actor, "import.started", { kind: "import", id, name: transfer.filename });
}

/** Cancels a run. Imported articles stay. Not to be called inside a transaction. Throws NotFoundError. */
export async function cancelRun(workspaceId: string, kind: Run["kind"], id: string, actor: Actor): Promise<void> {
  const dropped = await inWorkspace(workspaceId, async (db) => {
    const { state, filename } = await lock(db, kind, id);
    if (state !== "checking" && state !== "ready" && state !== "running") return [];
    await db.transfer.updateMany({
      where: { id },
      data: { state: "cancelled", updatedAt: new Date() },
    });
    await recordAudit(db, actor, `${kind}.cancelled`, { kind, id, name: filename });
    return dropParts(db, "id = $1::uuid FOR UPDATE", [id]);
  });
  await removeBytes(dropped);
}

async function create(
  db: Db,
  fields: { kind: Run["kind"]; state: string; filename: string; parts?: string[]; byteSize?: number },
  actor: Actor,
): Promise<string> {
  await refuseSecond(db, fields.kind);
  const createdBy = memberId(actor);
  const { id } = await db.transfer.create({
    data: { ...fields, createdBy, createdByName: actor.name },
    select: { id: true },
  });
  await enqueue(db, "transfer", { transferId: id });
  return id;
}

/** A lock makes simultaneous starts wait for each other. */
async function refuseSecond(db: Db, kind: Run["kind"]): Promise<void> {
  await lockWorkspace(db);
  await refuseBusy(readingOf(db), kind);
}

async function refuseBusy(read: Read, kind: Run["kind"]): Promise<void> {
  const busy = await read("SELECT FROM transfers WHERE kind = $1 AND state IN ('checking', 'running') LIMIT 1", [kind]);
  if (busy.length > 0) throw refusal(`Another ${kind} is running. Wait for it to finish, or cancel it.`, "taken");
}

async function lock(db: Db, kind: string, id: string): Promise<{ state: string; filename: string }> {
  const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id);
  const [row] = isId
    ? await db.$queryRaw<{ state: string; filename: string }[]>`
        SELECT state, filename FROM transfers WHERE kind = ${kind} AND id = ${id}::uuid FOR UPDATE`
    : [];
  if (!row) throw new NotFoundError("This archive doesn't exist.");
  return row;
}

export function tooLarge(): InvalidError {
  const most = (env().importBytes / 1_000_000).toLocaleString("en");
  return refusal(`The file is larger than ${most} MB. Split it, or use the command line.`, "too_long");
}

function refusal(message: string, code: InvalidField["code"] = "invalid"): InvalidError {
  return new InvalidError([{ field: "file", code, message }]);
}
