import type { Server } from "node:http";
import { Server as NetServer } from "node:net";
import { setImmediate as readWhatArrived, setTimeout as sleep } from "node:timers/promises";

/** How long connections are left alone, then how long their requests may take, in milliseconds. */
const FAREWELL_MS = 1_000;
const DRAIN_MS = 5_000;
const SWEEP_MS = 50;
/** In milliseconds: a turn of the event loop in which hardly anything was read, and how long to wait for one. */
const QUIET_MS = 0.3;
const BUSY_MS = 500;

/**
 * Takes no more connections, and waits until all are closed. Requests that have arrived are answered, also those that a busy process
 * has not read yet: closing a socket resets what waits in it.
 */
export async function closeServer(server: Server): Promise<void> {
  await sleep(0);
  await untilQuiet();
  // Idle connections are closed later, not by http's close: a request may be on its way over each of them.
  const closed = new Promise((resolve) => NetServer.prototype.close.call(server, resolve));
  // Not earlier, so that clients don't open connections while the server closes.
  server.prependListener("request", (_, response) => response.setHeader("Connection", "close"));
  await Promise.race([closed, sleep(FAREWELL_MS)]);
  const sweep = setInterval(() => setImmediate(() => server.closeIdleConnections()), SWEEP_MS);
  const drained = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await closed;
  clearInterval(sweep);
  clearTimeout(drained);
}

/** A connection that comes while requests are read is only accepted in the next turn. */
async function untilQuiet(): Promise<void> {
  const start = performance.now();
  for (let turn = start; turn - start < BUSY_MS; ) {
    await readWhatArrived();
    const now = performance.now();
    if (now - turn < QUIET_MS) return;
    turn = now;
  }
}
