import type { Draw } from "../draw";
import { hostOf, type RawSample, type RequestSample } from "../sample";
import type { World } from "../world";

/** Allowed answers to a malformed request, instead of closing the connection. */
export const refusals = [400, 404, 405, 408, 411, 413, 414, 415, 417, 426, 431];
/** Allowed answers to bytes that may have become any API request. */
export const anything = [200, 204, 304, 401, 403, 406, 412, 422, 429, ...refusals];
export const redirects = [301, 302, 303, 307, 308];

/** A raw sample without the parts that all samples share. */
export type Shape = Pick<RawSample, "pieces"> & Partial<Omit<RawSample, "kind" | "name" | "limited">>;
/** Kinds of samples, each drawn when it is called. */
export type Shapes = Record<string, () => Shape>;

export interface ShapeInput {
  draw: Draw;
  /** A valid HTTP request, different each time. */
  drawn: () => RequestSample;
  host: string;
  key: string;
  get: (path?: string, ...headers: string[]) => Buffer;
  patch: (body: string, ...headers: string[]) => Buffer;
}

/** The path to request when any path will do. */
export const me = "/api/external/v2/me";

export function shapeInput(draw: Draw, world: World, drawn: () => RequestSample): ShapeInput {
  const own = world.own[0]!;
  const host = hostOf(own, world.domain);
  // A read-only key, so that nothing changes by accident.
  const key = own.keys.read ?? "";
  const member = `/api/external/v2/team-members/${own.memberIds[0]}`;
  const proven = [`Host: ${host}`, `X-Api-Key: ${key}`];
  return {
    draw,
    drawn,
    host,
    key,
    get: (path = me, ...headers) => head(`GET ${path} HTTP/1.1`, ...proven, ...headers),
    patch: (body, ...headers) =>
      Buffer.concat([
        head(`PATCH ${member} HTTP/1.1`, ...proven, "Content-Type: application/json", ...headers),
        ascii(body),
      ]),
  };
}

/** A read-only key is refused before the body is read. */
export const patched = [403];

export const ascii = (text: string) => Buffer.from(text, "latin1");

/** The lines of a head, and the empty line that ends it. */
export const head = (...lines: string[]) => ascii(`${lines.join("\r\n")}\r\n\r\n`);

/** One request that must be answered, and the expected status. */
export const answered = (bytes: Buffer, ...expected: number[]): Shape => ({
  pieces: [bytes],
  answersAwaited: 1,
  answers: [1, 1],
  expected,
});
