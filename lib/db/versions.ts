import { LRUCache } from "lru-cache";

export type Read = <Row extends object>(sql: string, values?: readonly unknown[]) => Promise<Row[]>;

/** Numbers that rise when content changes (prisma/functions/change_content_version.sql). */
export interface Versions {
  /** Rises when something changes that visitors see. */
  content: string;
  /** Rises when something changes that only members and their keys see, such as drafts and emails. */
  drafts: string;
}

interface Snapshot {
  workspaceId: string;
  versions?: Promise<Versions | null>;
}

const snapshots = new WeakMap<Read, Snapshot>();

/** @param versions if they are known */
export function noteSnapshot(read: Read, workspaceId: string, versions?: Versions): void {
  snapshots.set(read, { workspaceId, ...(versions && { versions: Promise.resolve(versions) }) });
}

/**
 * The versions of what `read` sees. Null outside snapshots, because a transaction sees its own changes before they raise a version.
 */
export async function versionsOf(read: Read): Promise<Versions | null> {
  const snapshot = snapshots.get(read);
  if (!snapshot) return null;
  snapshot.versions ??= read<Versions>(
    "SELECT version::text AS content, drafts::text FROM content_versions WHERE workspace_id = $1",
    [snapshot.workspaceId],
  ).then(([versions]) => versions ?? null);
  return snapshot.versions;
}

interface Kept<Made> {
  version: string;
  made: Made;
}

/** Milliseconds after which values expire, in case the database is restored to an earlier state. */
const LONGEST_MS = 600_000;

/**
 * Values made from content alone, kept by workspace until the content changes. Callers share them, so nobody may change them.
 * @param maxSize of all values, in what `sizeOf` returns for each
 */
export function keptByVersion<Made extends object>(maxSize: number, sizeOf: (made: Made) => number) {
  const kept = new LRUCache<string, Kept<Made>>({
    maxSize,
    sizeCalculation: ({ made }) => Math.max(1, sizeOf(made)),
    ttl: LONGEST_MS,
  });
  /**
   * @param of "drafts" if the value depends on anything that visitors don't see, also as a condition
   * @param name everything else that the value depends on, such as an id and the viewer
   * @param make called when no value with this name is kept for the snapshot's versions, and always outside snapshots. Null isn't kept
   */
  return async <Result extends Made | null>(
    read: Read,
    of: keyof Versions,
    name: string,
    make: () => Promise<Result>,
  ): Promise<Made | Result> => {
    const versions = await versionsOf(read);
    const snapshot = snapshots.get(read);
    if (!versions || !snapshot) return make();
    const key = `${snapshot.workspaceId} ${of} ${name}`;
    const version = of === "content" ? versions.content : `${versions.content} ${versions.drafts}`;
    const known = kept.get(key);
    if (known?.version === version) return known.made;
    const made = await make();
    if (made) kept.set(key, { version, made });
    return made;
  };
}
