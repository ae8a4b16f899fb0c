import { Agent, request } from "node:http";
import { connect } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { type Answer, answersIn, decompressed } from "./answers";
import { piecesOf, type RawSample, type RequestSample } from "./sample";

export interface Outcome {
  answers: Answer[];
  /** A problem with the connection's end, apart from the answers, or null if there is none. */
  problem: string | null;
  milliseconds: number;
}

export interface Target {
  host: string;
  port: number;
  /** Keeps connections open. A server may close one just when it is used again. */
  agent: Agent;
}

/** The longest that anything may take, in milliseconds, before it counts as hanging. */
const BOUND_MS = 15_000;

export function targetAt(address: string): Target {
  const { hostname, port } = new URL(address);
  return { host: hostname, port: Number(port || 80), agent: new Agent({ keepAlive: true, maxSockets: 64 }) };
}

/** If a kept connection breaks within this time, the server was already closing it, in milliseconds. */
const CLOSING_MS = 1_000;

/**
 * Sends a request over a kept connection, and retries once if the server was just closing that connection. If it breaks
 * later, the server failed while handling the request, which is a fault.
 */
export async function sendRequest(target: Target, sample: RequestSample, bound = BOUND_MS): Promise<Outcome> {
  const start = performance.now();
  const ended = (rest: Omit<Outcome, "milliseconds">) => ({ ...rest, milliseconds: performance.now() - start });
  for (let attempt = 1; ; attempt++) {
    const result = await once(target, sample, bound);
    if ("answer" in result) return ended({ answers: [result.answer], problem: null });
    if (attempt === 1 && result.reused && performance.now() - start < CLOSING_MS) continue;
    return ended({ answers: [], problem: result.problem });
  }
}

function once(target: Target, { method, path, headers, body }: RequestSample, bound: number) {
  return new Promise<{ answer: Answer } | { problem: string; reused: boolean }>((resolve) => {
    const all = headers.flat();
    if (body?.chunks) all.push("Transfer-Encoding", "chunked");
    else if (body) all.push("Content-Length", String(body.bytes.length));
    const { host, port, agent } = target;
    const outgoing = request({ host, port, agent, method, path, headers: all as never, setHost: false });
    const timer = setTimeout(() => {
      resolve({ problem: `no answer within ${bound} ms`, reused: false });
      outgoing.destroy();
    }, bound);
    const failed = (error: Error & { code?: string }) => {
      clearTimeout(timer);
      const isClosed = error.code === "ECONNRESET" || error.code === "EPIPE";
      resolve({ problem: `no answer: ${error.code ?? error.message}`, reused: isClosed && outgoing.reusedSocket });
    };
    outgoing.once("error", failed);
    outgoing.once("response", (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
      incoming.once("error", failed);
      incoming.once("end", () => {
        clearTimeout(timer);
        const received: Answer["headers"] = [];
        for (let place = 0; place < incoming.rawHeaders.length; place += 2)
          received.push([incoming.rawHeaders[place]!, incoming.rawHeaders[place + 1]!]);
        const body = Buffer.concat(chunks);
        resolve({ answer: decompressed({ status: incoming.statusCode ?? 0, headers: received, body }) });
      });
    });
    for (const piece of body ? piecesOf(body.bytes, body.chunks ?? []) : []) outgoing.write(piece);
    outgoing.end();
  });
}

/** Writes bytes to a separate connection, and reads the answers until it is closed. */
export async function sendRaw(target: Target, sample: RawSample, bound = BOUND_MS): Promise<Outcome> {
  const start = performance.now();
  const socket = connect({ host: target.host, port: target.port, noDelay: true, allowHalfOpen: true });
  const received: Buffer[] = [];
  let said = false;
  /** Checks that nothing follows after the last answer. */
  const say = () => {
    if (said || socket.destroyed) return;
    said = true;
    socket.end();
  };
  let isWritten = false;
  let answered = 0;
  socket.on("data", (chunk: Buffer) => {
    received.push(chunk);
    answered = answersIn(Buffer.concat(received)).answers.length;
    if (isWritten && answered >= sample.answersAwaited) say();
  });
  const problems: string[] = [];
  const closed = new Promise<void>((resolve) => {
    const timer = setTimeout(() => {
      problems.push(`the connection was still open after ${bound} ms, with ${answered} answers`);
      socket.destroy();
    }, bound);
    socket.once("error", (error: Error & { code?: string }) => {
      // A server that refuses a request while it is still arriving resets the connection.
      if (error.code !== "ECONNRESET" && error.code !== "EPIPE") problems.push(`no connection: ${error.message}`);
    });
    socket.once("end", () => socket.end());
    socket.once("close", () => {
      clearTimeout(timer);
      resolve();
    });
  });
  for (const piece of sample.pieces) {
    if (socket.destroyed || !socket.writable) break;
    await Promise.race([closed, new Promise<void>((resolve) => socket.write(piece, () => resolve()))]);
    await turn();
  }
  isWritten = true;
  if (sample.abandons) socket.resetAndDestroy();
  else if (answered >= sample.answersAwaited) say();
  await closed;
  const { answers, rest } = answersIn(Buffer.concat(received));
  if (problems.length === 0 && rest.length > 0 && !sample.abandons) {
    problems.push(
      `${rest.length} bytes that are no answer: ${JSON.stringify(rest.subarray(0, 200).toString("latin1"))}`,
    );
  }
  return { answers, problem: problems[0] ?? null, milliseconds: performance.now() - start };
}
