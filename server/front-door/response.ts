import type { OutgoingHttpHeader, OutgoingHttpHeaders, ServerResponse } from "node:http";

/** A whole answer, none of it sent yet. */
export interface Captured {
  status: number;
  headers: OutgoingHttpHeaders;
  body: Buffer;
}

/** A response of Next that the front door can still change. */
export interface WrappedResponse {
  response: ServerResponse;
  /**
   * Collects the answer instead of sending it.
   * @param whole is called once. The response ignores further writes until `release`, which makes it send again
   */
  capture: (whole: (captured: Captured, release: () => void) => void) => void;
}

/**
 * Wraps a response, once for all stages of the front door.
 * @param beforeHead is called once, just before the head is sent, and may change status and headers. If it returns a
 *   text, that is sent instead of the body.
 */
export function wrapResponse(response: ServerResponse, beforeHead: () => string | undefined): WrappedResponse {
  const send = {
    writeHead: response.writeHead.bind(response),
    write: response.write.bind(response) as (...input: unknown[]) => boolean,
    end: response.end.bind(response) as (...input: unknown[]) => ServerResponse,
    flushHeaders: response.flushHeaders.bind(response),
  };
  let capturing: { chunks: Buffer[]; hasEnded: boolean; whole: Parameters<WrappedResponse["capture"]>[0] } | null =
    null;
  let state: "open" | "sent" | "replaced" = "open";

  /** Whether writes are sent: not while capturing, nor after the body was replaced. */
  const isSending = (): boolean => {
    if (capturing) return false;
    if (state !== "open" || response.headersSent) return state !== "replaced";
    state = "sent";
    const text = beforeHead();
    if (text === undefined) return true;
    state = "replaced";
    send.writeHead(response.statusCode);
    send.end(text);
    return false;
  };
  /** Receives writes that are not sent. */
  const collect = ([chunk, ...rest]: unknown[]) => {
    if (capturing && !capturing.hasEnded) {
      const encoding = typeof rest[0] === "string" ? (rest[0] as BufferEncoding) : "utf8";
      if (typeof chunk === "string") capturing.chunks.push(Buffer.from(chunk, encoding));
      else if (chunk instanceof Uint8Array) capturing.chunks.push(Buffer.from(chunk));
    }
    const callback = [chunk, ...rest].find((value) => typeof value === "function") as (() => void) | undefined;
    if (callback) process.nextTick(callback);
  };
  const methods = {
    writeHead(status: number, ...rest: unknown[]) {
      response.statusCode = status;
      const headers = rest.find((value) => typeof value === "object" && value !== null) ?? {};
      // An array of headers already alternates names and values.
      const flat = (Array.isArray(headers) ? headers : Object.entries(headers).flat()) as OutgoingHttpHeader[];
      for (let index = 0; index < flat.length; index += 2) {
        const value = flat[index + 1];
        if (value !== undefined) response.setHeader(String(flat[index]), value);
      }
      if (isSending()) send.writeHead(response.statusCode);
      return response;
    },
    write(...input: unknown[]) {
      if (isSending()) return send.write(...input);
      collect(input);
      return true;
    },
    end(...input: unknown[]) {
      if (isSending()) return send.end(...input);
      collect(input);
      if (!capturing || capturing.hasEnded) return response;
      capturing.hasEnded = true;
      const { chunks, whole } = capturing;
      const captured = { status: response.statusCode, headers: response.getHeaders(), body: Buffer.concat(chunks) };
      whole(captured, () => {
        capturing = null;
        // Next's compression has replaced them by now.
        Object.assign(response, methods);
      });
      return response;
    },
    flushHeaders() {
      if (isSending()) send.flushHeaders();
    },
  };
  Object.assign(response, methods);
  return {
    response,
    capture: (whole) => {
      capturing = { chunks: [], hasEnded: false, whole };
    },
  };
}

/** For every response over https. Subdomains are excluded, because they may belong to someone else. */
const secureHeaders = {
  "strict-transport-security": "max-age=31536000",
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
};

const lasting = ["x-request-id", "connection", "x-content-type-options", ...Object.keys(secureHeaders)];

export function addSecureHeaders(response: ServerResponse, baseUrl: string): void {
  if (!baseUrl.startsWith("https:")) return;
  for (const [name, value] of Object.entries(secureHeaders)) response.setHeader(name, value);
}

/** Removes the headers of an answer that another one replaces. */
export function clearHeaders(response: ServerResponse): void {
  for (const name of response.getHeaderNames()) if (!lasting.includes(name)) response.removeHeader(name);
}
