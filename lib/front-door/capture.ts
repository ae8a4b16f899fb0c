import type { OutgoingHttpHeaders, ServerResponse } from "node:http";

/** What was answered, before any of it was sent. */
export interface Captured {
  status: number;
  headers: OutgoingHttpHeaders;
  body: Buffer;
}

/**
 * Keeps what is written to a response from being sent, until all of it is there. Nothing has been sent then: whoever
 * captured it answers.
 * @param whole is told once; after `release` the response is as it was before, and until then it takes nothing more
 */
export function capture(response: ServerResponse, whole: (captured: Captured, release: () => void) => void): void {
  const before = {
    writeHead: response.writeHead.bind(response),
    write: response.write.bind(response),
    end: response.end.bind(response),
    flushHeaders: response.flushHeaders.bind(response),
  };
  const chunks: Buffer[] = [];
  let ended = false;
  const take = (chunk: unknown, encoding?: unknown) => {
    if (typeof chunk === "string") chunks.push(Buffer.from(chunk, typeof encoding === "string" ? (encoding as BufferEncoding) : "utf8"));
    else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
  }; // biome-ignore format: one thing a line
  const told = (given: unknown[]) => {
    const callback = given.find((value) => typeof value === "function") as (() => void) | undefined;
    if (callback) process.nextTick(callback);
  };
  Object.assign(response, {
    writeHead(status: number, ...rest: unknown[]) {
      response.statusCode = status;
      const headers = rest.find((value) => typeof value === "object" && value !== null) as
        | OutgoingHttpHeaders
        | undefined;
      for (const [name, value] of Object.entries(headers ?? {})) {
        if (value !== undefined) response.setHeader(name, value);
      }
      return response;
    },
    write(chunk: unknown, ...rest: unknown[]) {
      if (!ended) take(chunk, rest[0]);
      told(rest);
      return true;
    },
    end(...given: unknown[]) {
      told(given);
      if (ended) return response;
      ended = true;
      take(given[0], given[1]);
      const captured = { status: response.statusCode, headers: response.getHeaders(), body: Buffer.concat(chunks) };
      whole(captured, () => Object.assign(response, before));
      return response;
    },
    flushHeaders: () => {},
  });
}
