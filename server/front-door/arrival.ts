import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

/** Time limits of a body, in milliseconds. */
interface Limits {
  /** For the whole body. */
  whole: number;
  /** For the next byte of a file, which may take as long as its sender needs. */
  idle: number;
}

const FILES = /^\/api\/(uploads|imports|external\/v2\/uploads)(\/|\?|$)/;

/**
 * Ends a request whose body does not arrive in time, with 408 if it is not answered yet. A file has time as long as it
 * keeps arriving, until it is answered. Heads are bounded by the server. Call settleTarget first.
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
    // Data that waits to be read here is not late.
    if (isTaken && (socket.bytesRead !== bytes || request.readableLength > 0)) {
      since = now;
      bytes = socket.bytesRead;
    }
    if (now - since <= (isTaken ? idle : whole)) return;
    clearInterval(timer);
    if (response.headersSent) return void socket.destroy();
    // For the log: the answer bypasses the response.
    response.statusCode = 408;
    answerLate(socket);
    socket.destroySoon();
  }, Math.min(whole, idle) / 10).unref();
  request.once("close", () => request.complete && clearInterval(timer));
}

/** Answers bytes that the parser could not read as a request, in JSON like every refusal of the API. Ends the connection. */
export function answerUnparsed(error: Error & { code?: string }, socket: Duplex): void {
  // Bytes after the last request of a connection, whose answer is not sent yet.
  if (error.code === "HPE_CLOSED_CONNECTION") return;
  if (!socket.writable || error.code === "ECONNRESET") return void socket.destroy();
  if (error.code === "ERR_HTTP_REQUEST_TIMEOUT") return answerLate(socket);
  const [status, sentence] =
    error.code === "HPE_HEADER_OVERFLOW"
      ? ["431 Request Header Fields Too Large", "The URL and headers are over 64 KB. Send smaller ones."]
      : ["400 Bad Request", "This is not a valid HTTP/1.1 request. Send it with an HTTP library."];
  refuseRaw(socket, status, sentence);
}

function answerLate(socket: Duplex): void {
  refuseRaw(socket, "408 Request Timeout", "The request didn't arrive in time. Send it again.");
}

function refuseRaw(socket: Duplex, status: string, sentence: string): void {
  const body = JSON.stringify({ error: sentence });
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${body.length}\r\n` +
      `Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nX-Request-Id: ${randomUUID()}\r\n` +
      `Connection: close\r\n\r\n${body}`,
  );
}
