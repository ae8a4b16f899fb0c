import { mkdir, open, readFile, rm, rmdir, stat, utimes } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

const HEARTBEAT_MS = 2_000;
const SILENT_MS = 30_000;

/**
 * Runs `work` while holding the lock `file`, which names the holder's process and is touched regularly. A lock is taken
 * over as soon as its process is gone, or after 30 s if the number was reused.
 * @param waitMs in milliseconds
 * @throws if the lock is still held after `waitMs`
 */
export async function withLock<T>(file: string, waitMs: number, work: () => Promise<T>): Promise<T> {
  await take(file, performance.now() + waitMs);
  const heartbeat = setInterval(() => {
    const now = new Date();
    utimes(file, now, now).catch(() => {});
  }, HEARTBEAT_MS);
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    await rm(file, { force: true });
  }
}

async function take(file: string, deadline: number): Promise<void> {
  for (;;) {
    try {
      const handle = await open(file, "wx", 0o600);
      await handle.writeFile(String(process.pid));
      await handle.close();
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    const holder = await staleOrHolder(file);
    if (holder === "stale") await breakLock(file);
    else if (performance.now() > deadline) {
      throw new Error(
        `Process ${holder} has been holding ${file} for too long. Wait for it, or stop it and start again. If this process doesn't exist, delete the file.`,
      );
    } else await sleep(50);
  }
}

/** @returns "stale", or the holder's pid (empty while it is being written) */
async function staleOrHolder(file: string): Promise<string> {
  try {
    const pid = await readFile(file, "utf8");
    const silence = Date.now() - (await stat(file)).mtimeMs;
    // Killed between creating the file and writing to it.
    if (pid === "") return silence > HEARTBEAT_MS ? "stale" : "";
    return silence < SILENT_MS && isAlive(Number(pid)) ? pid : "stale";
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}

/** Removes a stale lock. Only one waiter may: a slower one would remove the lock the faster one took. */
async function breakLock(file: string): Promise<void> {
  const breaking = `${file}.break`;
  try {
    await mkdir(breaking);
  } catch {
    // Another waiter is removing it, unless it was killed just now.
    const since = await stat(breaking).then(
      (info) => info.mtimeMs,
      () => Date.now(),
    );
    if (Date.now() - since > SILENT_MS) await rmdir(breaking).catch(() => {});
    else await sleep(20);
    return;
  }
  try {
    if ((await staleOrHolder(file)) === "stale") await rm(file, { force: true });
  } finally {
    await rmdir(breaking);
  }
}

/** Whether a process with this number exists, under any user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
