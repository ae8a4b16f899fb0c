import type { Server, ServerResponse } from "node:http";
import { Server as NetServer } from "node:net";
import { setImmediate as readWhatArrived, setTimeout as sleep } from "node:timers/promises";

/** How long connections are left alone, then how long their requests may take, in milliseconds. */
const FAREWELL_MS = 1_000;
const DRAIN_MS = 5_000;
const SWEEP_MS = 50;
/** Milliseconds. A turn of the event loop accepts one waiting connection, and a busy server always has one. */
const MOST_MS = 1_000;

/**
 * Accepts the connections that are waiting, then takes no more, and waits until all are closed. Requests that have arrived are answered,
 * also those that a busy process has not read yet: closing a socket resets what waits in it.
 * @param noticeMs how long to take connections as before
 */
export async function closeServer(server: Server, noticeMs = 0): Promise<void> {
  const open = new Set<ServerResponse>();
  let isClosed = false;
  server.prependListener("request", (_, response) => {
    if (isClosed) return response.setHeader("Connection", "close");
    open.add(response);
    response.once("close", () => open.delete(response));
  });
  await sleep(noticeMs);
  await untilNoneWaits(server);
  // Idle connections are closed later, not by http's close: a request may be on its way over each of them.
  const closed = new Promise((resolve) => NetServer.prototype.close.call(server, resolve));
  // Not told earlier, so that clients don't open new connections just when the server stops taking them.
  isClosed = true;
  for (const response of open) if (!response.headersSent) response.setHeader("Connection", "close");
  await Promise.race([closed, sleep(FAREWELL_MS)]);
  const sweep = setInterval(() => setImmediate(() => server.closeIdleConnections()), SWEEP_MS);
  const drained = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await closed;
  clearInterval(sweep);
  clearTimeout(drained);
}

/** Reads what has arrived, until that brings no connection. */
async function untilNoneWaits(server: Server): Promise<void> {
  let came = 0;
  const count = () => void came++;
  server.on("connection", count);
  const end = performance.now() + MOST_MS;
  for (let before = -1; before < came && performance.now() < end; ) {
    before = came;
    await readWhatArrived();
  }
  server.off("connection", count);
}
