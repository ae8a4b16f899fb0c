import { createHash } from "node:crypto";
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import { LRUCache } from "lru-cache";
import { acceptedEncoding, compressed, type Encoding } from "@/lib/http/compression";
import { namesTag } from "@/lib/http/file-answer";
import { prefersMarkdown } from "@/lib/http/markdown-path";
import { log } from "@/lib/log";
import { countPage } from "@/server/metrics";
import { isForReaders, renderDocument } from "./documents";
import { withoutNonce } from "./policy";
import type { Captured, WrappedResponse } from "./response";

/** A page that everyone gets. */
interface Kept {
  version: string;
  headers: OutgoingHttpHeaders;
  tag: string;
  /** The body, compressed by brotli. */
  packed: Buffer;
}

/** A workspace and the version of its published content. */
export interface ContentVersion {
  workspaceId: string;
  version: string;
}

/** The size of all kept pages, in bytes. */
const MOST_BYTES = 64 * 2 ** 20;
/** How long a page is kept, in milliseconds. Views don't make it stale, though some pages name the most read. */
const LONGEST_MS = 10 * 60_000;
/** Files and pages that depend on the content alone. Lists also depend on the parameter `page`. */
const FILES =
  /^\/((sitemap|sitemaps\/\d{1,5}|feed)\.xml|robots\.txt|llms\.txt|articles\/[a-z0-9-]{1,100}\.md|tree(\/[a-z0-9-]{1,100})?)$/;
const PAGES = /^\/(articles\/[a-z0-9-]{1,100})?$/;
const LISTS = /^\/categories(\/[a-z0-9-]{1,100}(\.md)?)?$/;
/** Pages that show code samples in the language of a parameter or a cookie. */
const CHOICES = /^\/developers(\/v[12])?$/;
const CHOICE = "sample_language=";
/** How long to wait for another request's rendering, in milliseconds: as long as a unit of the database may take. */
const PATIENCE_MS = 2_000;
const TYPES = /^(text\/(html|plain|markdown)|application\/(json|(atom\+)?xml))\b/;
/** Headers set again for each answer, or dropped with the nonce. */
const OWN_HEADERS = new Set([
  "x-request-id", "content-length", "transfer-encoding", "connection", "keep-alive", "date", "cache-control", "etag",
  "vary", "x-middleware-rewrite",
]); // biome-ignore format: a word list

const unpack = promisify(brotliDecompress);

/**
 * Answers with kept pages while nothing readers see has changed. Each request brings the current content version, so no
 * page is ever stale, whichever server changed the content.
 * @param sessionCookie marks requests of members, whose pages may differ
 * @param script the URL of the reader script
 * @param seen called with every page rendered to be kept
 */
export function keepPages(
  sessionCookie: string,
  script: string,
  seen: (request: IncomingMessage, captured: Captured) => void = () => {},
) {
  const pages = new LRUCache<string, Kept>({
    maxSize: MOST_BYTES,
    ttl: LONGEST_MS,
    sizeCalculation: ({ packed }) => packed.length + 2_000,
  });
  /** Pages being rendered: further requests for them wait. */
  const rendering = new Map<string, Promise<Kept | null>>();

  return async (
    request: IncomingMessage,
    wrapped: WrappedResponse,
    { workspaceId, version }: ContentVersion,
    render: () => void | Promise<void>,
  ): Promise<void> => {
    const { response } = wrapped;
    const renderOnce = () => sendDocument(request, wrapped, script, render);
    const address = keptAddress(request, sessionCookie);
    if (address === null) return renderOnce();
    // By id, since a subdomain may become another workspace's.
    const key = `${workspaceId} ${prefersMarkdown(request.headers.accept ?? null)} ${address}`;
    const known = pages.get(key);
    const isKept = known?.version === version;
    countPage(isKept);
    if (isKept) return send(request, response, known);
    if (FILES.test(address)) request.url = address;
    // A page with parameters may not be kept, so nobody else waits for it.
    const turn = `${version} ${key} ${request.url}`;
    const pending = rendering.get(turn);
    if (pending) {
      const rendered = await Promise.race([pending, sleep(PATIENCE_MS, null, { ref: false })]);
      return rendered ? send(request, response, rendered) : renderOnce();
    }
    const done = new Promise<Kept | null>((resolve) => {
      // Without a client the page is usually still rendered to its end.
      response.once("close", () => setTimeout(resolve, PATIENCE_MS, null).unref());
      const answer = async (captured: Captured, release: () => void) => {
        seen(request, captured);
        // Next's pages repeat the URL of their request.
        const page = request.url === address ? await keptPage(captured, version) : null;
        if (page) pages.set(key, page);
        resolve(page);
        await (page ? send(request, response, page, release) : sendBody(request, response, captured.body, release));
      };
      const fail = (error: unknown) => {
        log().error({ err: error }, "A page could not be sent.");
        resolve(null);
        response.destroy();
      };
      const whole = (captured: Captured, release: () => void) => void answer(captured, release).catch(fail);
      Promise.resolve(renderDocument(request, wrapped, script, render, whole)).catch(fail);
    });
    rendering.set(turn, done);
    await done;
    rendering.delete(turn);
  };
}

/** Renders and sends an answer without keeping it. Reader pages lose the framework. */
export async function sendDocument(
  request: IncomingMessage,
  wrapped: WrappedResponse,
  script: string,
  render: () => void | Promise<void>,
): Promise<void> {
  if (!isForReaders(request)) return render();
  const { response } = wrapped;
  await renderDocument(request, wrapped, script, render, (captured, release) => {
    sendBody(request, response, captured.body, release).catch((error: unknown) => {
      log().error({ err: error }, "A page could not be sent.");
      response.destroy();
    });
  });
}

/**
 * The URL that the answer is kept under, without the parameters that don't change it. Null if the answer may depend on more than
 * the content, such as on the visitor.
 */
export function keptAddress({ method, url = "", headers }: IncomingMessage, sessionCookie: string): string | null {
  if (method !== "GET" && method !== "HEAD") return null;
  if (headers.cookie?.includes(sessionCookie)) return null;
  if ("next-action" in headers || "range" in headers) return null;
  const [path = "", ...rest] = url.split("?");
  if (FILES.test(path) || PAGES.test(path)) return path;
  const query = new URLSearchParams(rest.join("?"));
  if (CHOICES.test(path)) return query.has("language") || headers.cookie?.includes(CHOICE) ? null : path;
  if (!LISTS.test(path)) return null;
  const [page, ...more] = query.getAll("page");
  if (page === undefined) return path;
  return more.length === 0 && /^[1-9]\d{0,3}$/.test(page) ? `${path}?page=${page}` : null;
}

/** Null for answers that must not be kept: an error, a redirect, an answer with a cookie, a private file. */
async function keptPage({ status, headers, body }: Captured, version: string): Promise<Kept | null> {
  const type = String(headers["content-type"] ?? "");
  if (status !== 200 || !TYPES.test(type) || headers["set-cookie"]) return null;
  let whole = body;
  const own: OutgoingHttpHeaders = {};
  for (const [name, value] of Object.entries(headers)) if (!OWN_HEADERS.has(name)) own[name] = value;
  if (type.startsWith("text/html")) {
    const page = withoutNonce(body.toString("utf8"), String(headers["content-security-policy"] ?? ""));
    if (!page) return null;
    whole = Buffer.from(page.html);
    own["content-security-policy"] = page.policy;
    if (own.link) own.link = String(own.link).replace(/; nonce="[^"]*"/g, "");
    // The framework marks every page private, so the header only counts for files.
  } else if (/private|no-store/.test(String(headers["cache-control"] ?? ""))) return null;
  const tag = createHash("sha256").update(whole).digest("base64url").slice(0, 22);
  return { version, headers: own, tag: `"${tag}"`, packed: await compressed(whole, "br") };
}

/** @param release makes a captured response send again, just before it ends */
async function send(
  request: IncomingMessage,
  response: ServerResponse,
  page: Kept,
  release: () => void = () => {},
): Promise<void> {
  for (const name of response.getHeaderNames()) {
    if (name !== "x-request-id" && name !== "connection") response.removeHeader(name);
  }
  for (const [name, value] of Object.entries(page.headers)) if (value !== undefined) response.setHeader(name, value);
  response.setHeader("Cache-Control", "public, max-age=0, must-revalidate");
  response.setHeader("Vary", "Accept, Accept-Encoding, Cookie");
  response.setHeader("ETag", `W/${page.tag}`);
  if (namesTag(request.headers["if-none-match"] ?? null, page.tag)) {
    response.statusCode = 304;
    release();
    return void response.end();
  }
  response.statusCode = 200;
  const accepted = acceptedBy(request);
  if (accepted === "br") return end(request, response, page.packed, accepted, release);
  return sendBody(request, response, await unpack(page.packed), release);
}

async function sendBody(
  request: IncomingMessage,
  response: ServerResponse,
  body: Buffer,
  release: () => void,
): Promise<void> {
  const accepted = TYPES.test(String(response.getHeader("content-type"))) ? acceptedBy(request) : null;
  const sent = await (accepted ? compressed(body, accepted) : body);
  end(request, response, sent, accepted, release);
}

function end(
  { method }: IncomingMessage,
  response: ServerResponse,
  body: Buffer,
  encoding: string | null,
  release: () => void,
): void {
  if (encoding) response.setHeader("Content-Encoding", encoding);
  if (body.length > 0 || response.statusCode === 200) response.setHeader("Content-Length", body.length);
  release();
  response.end(method === "HEAD" ? undefined : body);
}

function acceptedBy({ headers }: IncomingMessage): Encoding | null {
  return acceptedEncoding(String(headers["accept-encoding"] ?? ""));
}
