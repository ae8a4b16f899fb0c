import { log } from "@/lib/log";
import { afterReading } from "./patience";
import type { BoundedPool } from "./pool";
import type { Read, Versions } from "./versions";

/** How long a snapshot may take to open, in milliseconds. Longer than that, the primary is faster. */
const OPEN_MS = 200;
/** How long a replica that doesn't respond, or is too far behind, is left alone, in milliseconds. */
const REST_MS = 3_000;

export interface Snapshot {
  read: Read;
  end: () => void;
  /** If they are known. */
  versions?: Versions | undefined;
}

/** A statement failed on the replica. The primary can still answer. */
class ReplicaError extends Error {
  override name = "ReplicaError";
}

/** By name, because Next's bundles have classes of their own. */
export const isReplicaError = (error: unknown) => (error as Error).name === "ReplicaError";

interface Found extends Versions {
  isCurrent: boolean;
}

/**
 * SQL: whether the replica has replayed all that it received, or a transaction of the last minute. View counts have no version, so a
 * replica that is further behind isn't used, and neither is a promoted one.
 */
export const REPLICA_IS_CURRENT = `(pg_is_in_recovery() AND (
  coalesce(pg_last_wal_replay_lsn() >= pg_last_wal_receive_lsn(), false) AND EXISTS (SELECT FROM pg_stat_wal_receiver)
  OR coalesce(now() - pg_last_xact_replay_timestamp() < interval '1 minute', false)))`;

/** The versions that the snapshot sees, and whether the replica follows its primary. */
const state = `
  SELECT version::text AS content, drafts::text, ${REPLICA_IS_CURRENT} AS "isCurrent"
  FROM content_versions WHERE workspace_id = $1`;

const hasReached = (found: Versions, wanted: Versions) =>
  BigInt(found.content) >= BigInt(wanted.content) && BigInt(found.drafts) >= BigInt(wanted.drafts);

/** A streaming replica. Answers reads that name the primary's content versions. */
export class Replica {
  /** The number of open snapshots. */
  private inUse = 0;
  private restsUntil = 0;
  private isAway = false;
  /** When reads began to find it too far behind. */
  private behindSince: number | null = null;
  /** Counts snapshots that it opened, and those that the primary had to open, also after a statement failed here. */
  readonly opened = { replica: 0, primary: 0 };

  constructor(readonly pool: BoundedPool) {}

  /**
   * Opens a snapshot with `open`.
   * @param wanted returns the versions that the snapshot must have reached. Called once the snapshot is open
   * @returns null if the primary must answer: the replica is behind, busy, or away. The snapshot's reads throw ReplicaError
   */
  async snapshot(
    workspaceId: string,
    wanted: () => readonly Versions[],
    open: () => Promise<Snapshot>,
  ): Promise<Snapshot | null> {
    const snapshot = await this.tryToOpen(workspaceId, wanted, open);
    this.opened[snapshot ? "replica" : "primary"]++;
    return snapshot;
  }

  private async tryToOpen(
    workspaceId: string,
    wanted: () => readonly Versions[],
    open: () => Promise<Snapshot>,
  ): Promise<Snapshot | null> {
    if (performance.now() < this.restsUntil) return null;
    // Only this read checks whether the replica is back.
    if (this.isAway) this.restsUntil = performance.now() + REST_MS;
    let isLate = false;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<null>((resolve) => {
      timer = afterReading(OPEN_MS, () => {
        isLate = true;
        // A replica with open snapshots is only busy.
        if (this.inUse === 0) this.rest("It didn't respond in time.");
        resolve(null);
      });
    });
    const opened = this.open(workspaceId, open).then(
      ({ snapshot, found }) => {
        if (!isLate) this.noteCurrent(found?.isCurrent ?? true);
        if (!isLate && found?.isCurrent && wanted().every((versions) => hasReached(found, versions))) return snapshot;
        snapshot.end();
        return null;
      },
      (error: unknown) => {
        if (!isLate || this.inUse === 0) this.rest((error as Error).message);
        return null;
      },
    );
    return Promise.race([opened, late]).finally(() => clearTimeout(timer));
  }

  private async open(
    workspaceId: string,
    open: () => Promise<Snapshot>,
  ): Promise<{ snapshot: Snapshot; found: Found | undefined }> {
    const { read, end } = await open();
    const [found] = await read<Found>(state, [workspaceId]).catch((error: unknown) => {
      end();
      throw error;
    });
    this.inUse++;
    const snapshot = {
      versions: found,
      read: this.watched(read),
      end: () => {
        this.inUse--;
        end();
      },
    };
    return { snapshot, found };
  }

  private rest(reason: string): void {
    this.restsUntil = performance.now() + REST_MS;
    if (this.isAway) return;
    this.isAway = true;
    log().warn({ reason }, "The database's replica can't be used, so the primary answers its reads.");
  }

  /** A replica of a quiet primary can be behind for a moment. */
  private noteCurrent(isCurrent: boolean): void {
    if (!isCurrent) {
      this.behindSince ??= performance.now();
      if (performance.now() - this.behindSince >= REST_MS)
        this.rest("It's over a minute behind, not connected to its primary, or was promoted.");
      return;
    }
    this.behindSince = null;
    if (!this.isAway) return;
    this.isAway = false;
    this.restsUntil = 0;
    log().info("The database's replica is back.");
  }

  private watched(read: Read): Read {
    let hasFailed = false;
    return (sql, values) =>
      read<never>(sql, values).catch((cause: unknown) => {
        if (!hasFailed) this.opened.primary++;
        hasFailed = true;
        throw new ReplicaError("The replica could not answer.", { cause });
      });
  }
}
