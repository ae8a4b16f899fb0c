import type { IncomingMessage, ServerResponse } from "node:http";
import { answerLate } from "@/lib/front-door";

/** How long a body may take, in milliseconds. */
interface Limits {
  /** To arrive whole. */
  whole: number;
  /** A file, which takes as long as its sender's line does: without one more byte of it. */
  idle: number;
}

/** Where files of any size arrive, as they come (app/api/uploads, app/api/imports). */
const FILES = /^\/api\/(uploads|imports)(\/|\?|$)/;

/**
 * Ends a request whose body does not arrive in time, with a 408 where it is not answered yet. A file that is not answered
 * yet has as long as it goes on arriving; the server's own limit bounds the whole of it. What is left of one after its
 * answer, which anybody may send, is a body like any other.
 * Heads are the server's own to bound. Call settleTarget first.
 */
export function boundArrival(
  request: IncomingMessage,
  response: ServerResponse,
  { whole, idle }: Limits = { whole: 60_000, idle: 30_000 },
): void {
  const { headers, socket } = request;
  if (headers["transfer-encoding"] === undefined && !(Number(headers["content-length"]) > 0)) return;
  const isFile = FILES.test(request.url ?? "");
  let since = performance.now();
  let bytes = socket.bytesRead;
  const timer = setInterval(() => {
    if (request.complete || socket.destroyed) return clearInterval(timer);
    const now = performance.now();
    const isTaken = isFile && !response.writableEnded;
    // What waits to be read here is not late: no more is taken from the connection then.
    if (isTaken && (socket.bytesRead !== bytes || request.readableLength > 0)) {
      since = now;
      bytes = socket.bytesRead;
    }
    if (now - since <= (isTaken ? idle : whole)) return;
    clearInterval(timer);
    if (response.headersSent) return void socket.destroy();
    // For the log; nothing is sent by way of the response any more.
    response.statusCode = 408;
    answerLate(socket);
    socket.destroySoon();
  }, Math.min(whole, idle) / 10).unref();
  request.once("close", () => request.complete && clearInterval(timer));
}
