import type { Server } from "node:http";
import { Server as NetServer } from "node:net";
import { setImmediate as readWhatArrived, setTimeout as sleep } from "node:timers/promises";

/** How long connections are left alone, then how long their requests may take, in milliseconds. */
const FAREWELL_MS = 1_000;
const DRAIN_MS = 5_000;
const SWEEP_MS = 50;

/**
 * Takes no more connections, and waits until all are closed. Requests that have arrived are answered, also those that a busy process
 * has not read yet: closing a socket resets what waits in it.
 */
export async function closeServer(server: Server): Promise<void> {
  await sleep(0);
  await readWhatArrived();
  // Idle connections are closed later, not by http's close: a request may be on its way over each of them.
  const closed = new Promise((resolve) => NetServer.prototype.close.call(server, resolve));
  await Promise.race([closed, sleep(FAREWELL_MS)]);
  const sweep = setInterval(() => setImmediate(() => server.closeIdleConnections()), SWEEP_MS);
  const drained = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await closed;
  clearInterval(sweep);
  clearTimeout(drained);
}
