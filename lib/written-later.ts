import { setTimeout as sleep } from "node:timers/promises";
import { type Db, inWorkspace } from "@/lib/db";
import { UnavailableError } from "@/lib/errors";
import { log } from "@/lib/log";
import { outsideRequests } from "@/lib/request";

/** What is noted, and how it is written. */
interface Kind<Item, Row> {
  /** As lines of the log call them, such as "Views". */
  name: string;
  /** The most that wait: beyond it the oldest are dropped, as when the database is away. */
  most: number;
  /** How many of a workspace one transaction writes: when so many wait, they do so no longer. All when left out. */
  batch?: number;
  /** Whether one must wait still; asked each time but the last. */
  waits?: (item: Item) => boolean;
  /** Whether one has waited so long that it can be written no more. */
  isTooOld?: (item: Item) => boolean;
  /** What is written of those that are due, worked out before the transaction. */
  rows: (items: Item[], workspaceId: string) => Row[] | Promise<Row[]>;
  /** A repetition of rows that did arrive adds nothing: whether they did, a cut connection does not say. */
  insert: (db: Db, rows: Row[]) => Promise<void>;
  /** Deletes at most so many rows that are kept no longer; gives how many there were. */
  tidy?: (db: Db, most: number) => Promise<number>;
}

/** How often what waits is written, and how long the last flush may take, in milliseconds. */
const EVERY_MS = 1_000;
const LAST_MS = 2_000;
/** What one transaction may take, in seconds. */
const SECONDS = 2;
/** When so many workspaces one after the other got no answer, none of the others is asked. */
const MOST_IN_A_ROW = 2;
/** How often a workspace is looked through for what is kept no longer, in milliseconds, and how many rows go at once. */
const TIDY_MS = 60 * 60_000;
const TIDY_BATCH = 1_000;
/** Of how many workspaces it is known when that was. */
const MOST_TIDIED = 5_000;

/**
 * What is noted at no cost to a request, and written together with others about once a second. While the database is away
 * the newest wait, and the log says when that began, when it was over, and how many were lost.
 *
 * One for each kind and process: the front door notes and flushes, pages are bundled apart from it.
 */
export class WrittenLater<Item extends { workspaceId: string }, Row> {
  /** The oldest first. */
  private readonly items = new Map<string, Item>();
  /** When each workspace was last found to hold nothing that is too old. */
  private readonly tidied = new Map<string, number>();
  /** How many were given up since that was last told. */
  private dropped = 0;
  /** Whether the database did not answer when it was last asked. */
  private away = false;
  /** The workspaces whose rows could not be written when they were last asked, the latest last. */
  private readonly late = new Set<string>();
  private timer?: NodeJS.Timeout;
  private writing?: Promise<void>;

  constructor(private readonly kind: Kind<Item, Row>) {}

  /** @param key two that have the same are one */
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

  /** Writes whatever waits: for a server that stops. What the database does not take goes on waiting. */
  async flush(): Promise<void> {
    while (this.writing) await this.writing;
    await this.write(true);
  }

  /** Gives up whatever still waits, and says in the log how many that are. */
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

  /** Never two at once; whoever noted something meanwhile is served by the next. */
  private write(isLast = false): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.writing ??= outsideRequests(() => this.writeAll(isLast)).finally(() => {
      this.writing = undefined;
      this.schedule();
    });
    return this.writing;
  }

  /** One workspace whose rows are locked holds up none but itself: the others are written before it is asked again. */
  private async writeAll(isLast: boolean): Promise<void> {
    const { name, batch = Infinity, isTooOld } = this.kind;
    for (const [key, item] of this.items) {
      if (!isTooOld?.(item)) continue;
      this.items.delete(key);
      this.dropped++;
    }
    const workspaceIds = new Set([...this.items.values()].map(({ workspaceId }) => workspaceId));
    for (const id of this.late) if (!workspaceIds.has(id)) this.late.delete(id);
    // In turn: the one that was asked last comes last.
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
        // They wait for the next time, behind all others.
        this.late.delete(workspaceId);
        this.late.add(workspaceId);
        if (++inARow === MOST_IN_A_ROW) break;
      }
    }
    const isAway = inARow > 0 && written === 0;
    if (isAway && !this.away) log().warn(`${name} wait to be written: the database does not answer.`);
    if (this.away && written > 0) log().info(`${name} are written again: the database is back.`);
    if (isAway || written > 0) this.away = isAway;
    if (!this.away) this.tellDropped();
  }

  /**
   * @returns how many are done with
   * @throws UnavailableError, and nothing else
   */
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
      // Tried again it would fail again, and hold up everybody else's. The error's other fields may hold what was noted.
      log().error(`${name} of a workspace could not be written: ${(error as Error).message}`);
      this.dropped += due.length;
    }
    for (const [key] of due) this.items.delete(key);
    await this.tidy(workspaceId);
    return due.length;
  }

  /** Now and then. What fails is tried again an hour later. */
  private async tidy(workspaceId: string): Promise<void> {
    const { name, tidy } = this.kind;
    const now = performance.now();
    if (!tidy || now - (this.tidied.get(workspaceId) ?? -TIDY_MS) < TIDY_MS) return;
    const deleted = await inWorkspace(workspaceId, (db) => tidy(db, TIDY_BATCH), SECONDS).catch((error: unknown) => {
      log().warn(`${name} that are kept no longer could not be deleted: ${(error as Error).message}`);
      return 0;
    });
    if (this.tidied.size >= MOST_TIDIED) this.tidied.clear();
    if (deleted < TIDY_BATCH) this.tidied.set(workspaceId, now);
  }

  private tellDropped(): void {
    const { dropped } = this;
    if (dropped > 0) log().warn({ dropped }, `${this.kind.name} are lost: they could not be written.`);
    this.dropped = 0;
  }
}

/**
 * Flushes one kind after the other, as far as two seconds and the database allow, and gives up the rest: for a server that
 * stops. What could not be written is counted in the log.
 */
export async function flushInTime(...kinds: Pick<WrittenLater<never, never>, "flush" | "giveUp">[]): Promise<void> {
  const flush = async () => {
    for (const kind of kinds) await kind.flush();
  };
  await Promise.race([flush(), sleep(LAST_MS, undefined, { ref: false })]);
  for (const kind of kinds) kind.giveUp();
}
