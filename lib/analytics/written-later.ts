import { setTimeout as sleep } from "node:timers/promises";
import { type Db, inWorkspace } from "@/lib/db";
import { UnavailableError } from "@/lib/errors";
import { outsideRequests } from "@/lib/http/request";
import { log } from "@/lib/log";

interface Kind<Item, Row> {
  name: string;
  /** When more wait, the oldest are dropped. */
  most: number;
  /** Items per transaction. Once this many wait, they are due. */
  batch?: number;
  waits?: (item: Item) => boolean;
  isTooOld?: (item: Item) => boolean;
  rows: (items: Item[], workspaceId: string) => Row[] | Promise<Row[]>;
  /** Must ignore rows that are already there: after a lost connection nobody knows. */
  insert: (db: Db, rows: Row[]) => Promise<void>;
  tidy?: (db: Db, most: number) => Promise<number>;
}

const EVERY_MS = 1_000;
const LAST_MS = 2_000;
const SECONDS = 2;
/** After this many unavailable workspaces in a row, the others wait. */
const MOST_IN_A_ROW = 2;
const TIDY_MS = 60 * 60_000;
const TIDY_BATCH = 1_000;
const MOST_TIDIED = 5_000;

/**
 * Writes items in batches about once a second, off the request's path. While the database is away the newest items
 * wait.
 */
export class WrittenLater<Item extends { workspaceId: string }, Row> {
  private readonly items = new Map<string, Item>();
  private readonly tidied = new Map<string, number>();
  private dropped = 0;
  private away = false;
  /** Workspaces whose last write failed, the latest last. */
  private readonly late = new Set<string>();
  private timer?: NodeJS.Timeout;
  private writing?: Promise<void>;

  constructor(private readonly kind: Kind<Item, Row>) {}

  note(key: string, item: Item): void {
    this.items.set(key, item);
    const [oldest] = this.items.keys();
    if (oldest !== undefined && this.items.size > this.kind.most) {
      this.items.delete(oldest);
      this.dropped++;
    }
    this.schedule();
  }

  has(key: string): boolean {
    return this.items.has(key);
  }

  async flush(): Promise<void> {
    while (this.writing) await this.writing;
    await this.write(true);
  }

  giveUp(): void {
    this.dropped += this.items.size;
    this.items.clear();
    this.tellDropped();
  }

  private schedule(): void {
    if (this.writing || this.items.size === 0) return;
    if (this.items.size >= (this.kind.batch ?? Infinity) && this.late.size === 0) return void this.write();
    this.timer ??= outsideRequests(() => setTimeout(() => void this.write(), EVERY_MS).unref());
  }

  /** Never two at the same time. */
  private write(isLast = false): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.writing ??= outsideRequests(() => this.writeAll(isLast)).finally(() => {
      this.writing = undefined;
      this.schedule();
    });
    return this.writing;
  }

  /** A workspace with locked rows delays only itself: the others go first. */
  private async writeAll(isLast: boolean): Promise<void> {
    const { name, batch = Infinity, isTooOld } = this.kind;
    for (const [key, item] of this.items) {
      if (!isTooOld?.(item)) continue;
      this.items.delete(key);
      this.dropped++;
    }
    const workspaceIds = new Set([...this.items.values()].map(({ workspaceId }) => workspaceId));
    for (const id of this.late) if (!workspaceIds.has(id)) this.late.delete(id);
    const late = [...this.late];
    let [written, inARow] = [0, 0];
    for (const workspaceId of [...workspaceIds].filter((id) => !late.includes(id)).concat(late)) {
      try {
        for (let more = true; more; ) {
          const count = await this.writeWorkspace(workspaceId, isLast);
          more = count === batch;
          written += count;
        }
        inARow = 0;
        this.late.delete(workspaceId);
      } catch {
        this.late.delete(workspaceId);
        this.late.add(workspaceId);
        if (++inARow === MOST_IN_A_ROW) break;
      }
    }
    const isAway = inARow > 0 && written === 0;
    if (isAway && !this.away) log().warn(`${name} are waiting to be written because the database is not responding.`);
    if (this.away && written > 0) log().info(`${name} are being written again. The database is back.`);
    if (isAway || written > 0) this.away = isAway;
    if (!this.away) this.tellDropped();
  }

  private async writeWorkspace(workspaceId: string, isLast: boolean): Promise<number> {
    const { name, batch, waits, rows, insert } = this.kind;
    const due = [...this.items]
      .filter(([, item]) => item.workspaceId === workspaceId && (isLast || !waits?.(item)))
      .slice(0, batch);
    if (due.length === 0) return 0;
    try {
      const found = await rows(
        due.map(([, item]) => item),
        workspaceId,
      );
      await inWorkspace(workspaceId, (db) => insert(db, found), SECONDS);
    } catch (error) {
      if (error instanceof UnavailableError) throw error;
      // A retry would fail again and delay others. Other fields of the error may hold the items.
      log().error(`${name} of a workspace could not be written: ${(error as Error).message}`);
      this.dropped += due.length;
    }
    for (const [key] of due) this.items.delete(key);
    await this.tidy(workspaceId);
    return due.length;
  }

  private async tidy(workspaceId: string): Promise<void> {
    const { name, tidy } = this.kind;
    const now = performance.now();
    if (!tidy || now - (this.tidied.get(workspaceId) ?? -TIDY_MS) < TIDY_MS) return;
    const deleted = await inWorkspace(workspaceId, (db) => tidy(db, TIDY_BATCH), SECONDS).catch((error: unknown) => {
      log().warn(`${name} could not be deleted after their retention period: ${(error as Error).message}`);
      return 0;
    });
    if (this.tidied.size >= MOST_TIDIED) this.tidied.clear();
    if (deleted < TIDY_BATCH) this.tidied.set(workspaceId, now);
  }

  private tellDropped(): void {
    const { dropped } = this;
    if (dropped > 0) log().warn({ dropped }, `${this.kind.name} were lost because they could not be written.`);
    this.dropped = 0;
  }
}

/** Flushes one kind after the other within two seconds, then drops the rest. */
export async function flushInTime(...kinds: Pick<WrittenLater<never, never>, "flush" | "giveUp">[]): Promise<void> {
  const flush = async () => {
    for (const kind of kinds) await kind.flush();
  };
  await Promise.race([flush(), sleep(LAST_MS, undefined, { ref: false })]);
  for (const kind of kinds) kind.giveUp();
}
