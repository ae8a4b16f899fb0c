import { pipeline } from "node:stream/promises";
import { type Actor, recordAudit } from "@/lib/audit";
import { type Db, inWorkspace, type Read, readingOf, readWorkspace } from "@/lib/db";
import { env } from "@/lib/env";
import { InvalidError, type InvalidField, NotFoundError } from "@/lib/errors";
import { bounded } from "@/lib/form-file";
import { enqueue } from "@/lib/jobs";
import { PartsWriter } from "@/lib/transfers/parts";
import { commitNaming, removeBytes } from "@/lib/uploads/commit";
import { cleanFilename } from "@/lib/uploads/filename";

/** What an import did or would do, or what is in the archive of an export, as far as its page tells it. */
export interface TransferReport {
  files: number;
  created: number;
  updated: number;
  unchanged: number;
  drafts: number;
  categories: number;
  uploads: number;
  /** Files that could not be imported, or that an archive does not have. */
  problems: number;
  /** What a person should hear, a line each; of very many the first. */
  lines: string[];
  /** How many lines there are besides. */
  more: number;
  /** The furthest file that an import got to, of those that go on in pieces. */
  reached?: number;
}

/** An archive on its way out or in. */
export interface Transfer {
  id: string;
  kind: "export" | "import";
  state: "checking" | "ready" | "running" | "done" | "failed" | "cancelled";
  filename: string;
  /** 0 while it is made, and after its bytes were deleted. */
  byteSize: number;
  parts: string[];
  phase: "reading" | "files" | "importing" | "exporting" | null;
  done: number;
  total: number;
  report: TransferReport | null;
  problem: string | null;
  createdBy: string | null;
  createdByName: string;
  createdAt: Date;
  updatedAt: Date;
}

/** For how many days an archive can be fetched, or a report be read. */
export const TRANSFER_DAYS = 7;

/**
 * How many archives of exports a workspace keeps: the next one takes the place of the oldest, since they do not count
 * against its quota.
 */
export const EXPORTS_KEPT = 3;

/** How every zip begins that holds a file. */
const ZIP = Buffer.from("PK\x03\x04");

const columns = `id, kind, state, filename, byte_size::float8 AS "byteSize", parts, phase, done, total, report, problem,
  created_by AS "createdBy", created_by_name AS "createdByName", created_at AS "createdAt", updated_at AS "updatedAt"`;

/** How many are listed. */
export const MOST_TRANSFERS = 10;

/** The newest of a kind, without the lines of their reports: MOST_TRANSFERS, and one more where there are more. */
export function listTransfers(read: Read, kind: Transfer["kind"]): Promise<Transfer[]> {
  return read<Transfer>(
    `SELECT ${columns.replace("report,", "report - 'lines' AS report,")} FROM transfers
     WHERE kind = $1 ORDER BY created_at DESC, id LIMIT ${MOST_TRANSFERS + 1}`,
    [kind],
  );
}

/** One, whole; null when it is not there, or is of another kind. */
export async function findTransfer(read: Read, kind: Transfer["kind"], id: string): Promise<Transfer | null> {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) return null;
  const [row] = await read<Transfer>(`SELECT ${columns} FROM transfers WHERE kind = $1 AND id = $2`, [kind, id]);
  return row ?? null;
}

/**
 * Has an archive of the workspace made.
 * @throws InvalidError while another is being made
 */
export async function beginExport(db: Db, workspace: { id: string; name: string; subdomain: string }, actor: Actor) {
  const day = new Date().toISOString().slice(0, 10);
  const id = await begin(
    db,
    { kind: "export", state: "running", filename: `${workspace.subdomain}-${day}.zip` },
    actor,
  );
  await recordAudit(db, actor, "workspace.exported", { kind: "workspace", id: workspace.id, name: workspace.name });
  return id;
}

/**
 * Keeps an archive that somebody uploads, and has it looked at: nothing of it is imported yet. Not to be called inside a
 * transaction.
 * @param content is not read further than the limit, and not at all while another import is at work
 * @throws InvalidError for what is empty, no zip or too large, and while another import is at work
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
    if (first.length === 0) throw refusal("Choose a zip file to import.", "required");
    if (!first.subarray(0, 4).equals(ZIP))
      throw refusal("This is no zip file: pack the folder as a zip, and choose that.");
  } catch (error) {
    await removeBytes(writer.keys);
    throw error;
  }
  const { id, dropped } = await commitNaming(writer.keys, () =>
    inWorkspace(workspaceId, async (db) => {
      // What was looked at before makes way.
      const dropped = await dropParts(db, "kind = 'import' AND state = 'ready' FOR UPDATE");
      await db.transfer.updateMany({ where: { kind: "import", state: "ready" }, data: { state: "cancelled" } });
      const given = { kind: "import", state: "checking", filename: cleanFilename(filename) } as const;
      const id = await begin(db, { ...given, parts: writer.keys, byteSize: writer.byteSize }, actor);
      return { id, dropped };
    }),
  );
  await removeBytes(dropped);
  return id;
}

/**
 * Forgets the bytes of all finished exports but the newest; that they were made stays to be read.
 * @returns the keys of their parts, to be removed after the transaction
 */
export function dropOldExports(db: Db): Promise<string[]> {
  return dropParts(
    db,
    `kind = 'export' AND state = 'done' ORDER BY updated_at DESC, id OFFSET ${EXPORTS_KEPT} FOR UPDATE`,
  );
}

/**
 * Forgets the bytes of transfers.
 * @param which of them: the end of a query of rows that have bytes, which locks them
 * @returns the keys of their parts, to be removed after the transaction
 */
export async function dropParts(db: Db, which: string, values: readonly unknown[] = []): Promise<string[]> {
  const dropped = await readingOf(db)<{ parts: string[] }>(
    `WITH due AS (SELECT id, parts FROM transfers WHERE parts <> '{}' AND ${which})
     UPDATE transfers t SET parts = '{}', byte_size = 0 FROM due WHERE t.id = due.id RETURNING due.parts`,
    values,
  );
  return dropped.flatMap(({ parts }) => parts);
}

/**
 * Has what was looked at imported.
 * @throws NotFoundError when there is no such import; InvalidError when it is not ready, or another is at work
 */
export async function beginImport(db: Db, id: string, actor: Actor): Promise<void> {
  const transfer = await lock(db, "import", id);
  if (transfer.state !== "ready") throw refusal("This import is not waiting any more: look at what became of it.");
  await refuseSecond(db, "import");
  // What was said before it began is told again by the run itself.
  await db.$executeRaw`
    UPDATE transfers SET state = 'running', phase = NULL, done = 0, total = 0, report = NULL, updated_at = now()
    WHERE id = ${id}::uuid`;
  await enqueue(db, "transfer", { transferId: id });
  await recordAudit(db, actor, "import.started", { kind: "import", id, name: transfer.filename });
}

/**
 * Ends one that waits or is at work; of an import, what is stored by then stays. One that has ended stays as it is. Its
 * bytes go at once. Not to be called inside a transaction.
 * @throws NotFoundError when there is none
 */
export async function cancelTransfer(
  workspaceId: string,
  kind: Transfer["kind"],
  id: string,
  actor: Actor,
): Promise<void> {
  const dropped = await inWorkspace(workspaceId, async (db) => {
    const { state, filename } = await lock(db, kind, id);
    if (state !== "checking" && state !== "ready" && state !== "running") return [];
    await db.transfer.updateMany({
      where: { id },
      data: { state: "cancelled", continuation: null, updatedAt: new Date() },
    });
    await recordAudit(db, actor, `${kind}.cancelled`, { kind, id, name: filename });
    return dropParts(db, "id = $1::uuid FOR UPDATE", [id]);
  });
  await removeBytes(dropped);
}

async function begin(
  db: Db,
  given: { kind: Transfer["kind"]; state: string; filename: string; parts?: string[]; byteSize?: number },
  actor: Actor,
): Promise<string> {
  await refuseSecond(db, given.kind);
  const createdBy = actor.kind === "member" ? actor.id : null;
  const { id } = await db.transfer.create({
    data: { ...given, createdBy, createdByName: actor.name },
    select: { id: true },
  });
  await enqueue(db, "transfer", { transferId: id });
  return id;
}

/** One of a kind at a time; of two who ask at once, the second waits here and finds the first. */
async function refuseSecond(db: Db, kind: Transfer["kind"]): Promise<void> {
  await db.$queryRaw`SELECT id FROM workspaces FOR NO KEY UPDATE`;
  await refuseBusy(readingOf(db), kind);
}

async function refuseBusy(read: Read, kind: Transfer["kind"]): Promise<void> {
  const busy = await read("SELECT FROM transfers WHERE kind = $1 AND state IN ('checking', 'running') LIMIT 1", [kind]);
  if (busy.length > 0) throw refusal(`Another ${kind} is at work: wait until it is done, or cancel it.`, "taken");
}

async function lock(db: Db, kind: string, id: string): Promise<{ state: string; filename: string }> {
  const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id);
  const [row] = isId
    ? await db.$queryRaw<{ state: string; filename: string }[]>`
        SELECT state, filename FROM transfers WHERE kind = ${kind} AND id = ${id}::uuid FOR UPDATE`
    : [];
  if (!row) throw new NotFoundError("There is no such archive.");
  return row;
}

/** What an archive is refused with that has more than may be imported here. */
export function tooLarge(): InvalidError {
  const most = (env().importBytes / 1_000_000).toLocaleString("en");
  return refusal(
    `The archive may have ${most} MB at most, and this has more: split it, or import it on the command line.`,
    "too_long",
  );
}

function refusal(message: string, code: InvalidField["code"] = "invalid"): InvalidError {
  return new InvalidError([{ field: "file", code, message }]);
}
