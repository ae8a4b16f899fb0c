import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
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
import { type Captured, clearHeaders, type WrappedResponse } from "./response";

/** A page that everyone gets. */
interface Kept {
  version: string;
  /** Alternating header names and values, for `writeHead`. */
  head: string[];
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
/** Headers that are set separately, or dropped with the nonce. */
const OWN_HEADERS = new Set([
  "x-request-id", "content-length", "transfer-encoding", "connection", "keep-alive", "date", "cache-control", "etag",
  "vary", "x-middleware-rewrite",
]); // biome-ignore format: a word list

const unpack = promisify(brotliDecompress);

/**
 * Keeps rendered pages. `find` returns a page only if it has the workspace's current content version, so no page is ever
 * stale, whichever server changed the content.
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

  /** Uses the workspace's ID, because another workspace may take over its subdomain. */
  const keyOf = ({ headers }: IncomingMessage, { workspaceId }: ContentVersion, address: string) =>
    `${workspaceId} ${prefersMarkdown(headers.accept ?? null)} ${address}`;

  /** Returns the current kept page, and counts it as answered from memory. Send it with `sendKept`. */
  const find = (request: IncomingMessage, workspace: ContentVersion): Kept | null => {
    const address = keptAddress(request, sessionCookie);
    const known = address === null ? undefined : pages.get(keyOf(request, workspace, address));
    if (known?.version !== workspace.version) return null;
    countPage(true);
    return known;
  };

  /** Renders and sends a page that `find` didn't return. Keeps the page if it is the same for everyone. */
  const renderAndKeep = async (
    request: IncomingMessage,
    wrapped: WrappedResponse,
    workspace: ContentVersion,
    render: () => void | Promise<void>,
  ): Promise<void> => {
    const { response } = wrapped;
    const { version } = workspace;
    const renderOnce = () => sendDocument(request, wrapped, script, render);
    const address = keptAddress(request, sessionCookie);
    if (address === null) return renderOnce();
    countPage(false);
    const key = keyOf(request, workspace, address);
    if (FILES.test(address)) request.url = address;
    // A page with parameters may not be kept, so nobody else waits for it.
    const turn = `${version} ${key} ${request.url}`;
    const pending = rendering.get(turn);
    if (pending) {
      const rendered = await Promise.race([pending, sleep(PATIENCE_MS, null, { ref: false })]);
      return rendered ? sendKept(request, response, rendered) : renderOnce();
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
        if (page) clearHeaders(response);
        await (page ? sendKept(request, response, page, release) : sendBody(request, response, captured.body, release));
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
  return { find, renderAndKeep };
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
  const own: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) if (!OWN_HEADERS.has(name)) own[name] = String(value);
  if (type.startsWith("text/html")) {
    const page = withoutNonce(body.toString("utf8"), String(headers["content-security-policy"] ?? ""));
    if (!page) return null;
    whole = Buffer.from(page.html);
    own["content-security-policy"] = page.policy;
    if (own.link) own.link = own.link.replace(/; nonce="[^"]*"/g, "");
    // The framework marks every page private, so the header only counts for files.
  } else if (/private|no-store/.test(String(headers["cache-control"] ?? ""))) return null;
  const tag = `"${createHash("sha256").update(whole).digest("base64url").slice(0, 22)}"`;
  own["Cache-Control"] = "public, max-age=0, must-revalidate";
  own.Vary = "Accept, Accept-Encoding, Cookie";
  own.ETag = `W/${tag}`;
  return { version, head: Object.entries(own).flat(), tag, packed: await compressed(whole, "br") };
}

/** @param release makes a captured response send again, just before it ends */
export function sendKept(
  request: IncomingMessage,
  response: ServerResponse,
  { head, tag, packed }: Kept,
  release: () => void = () => {},
): void | Promise<void> {
  const sendForm = (body: Buffer, encoding: Encoding | null) => {
    release();
    const form = encoding ? ["Content-Encoding", encoding] : [];
    response.writeHead(200, [...head, ...form, "Content-Length", String(body.length)]);
    response.end(request.method === "HEAD" ? undefined : body);
  };
  if (namesTag(request.headers["if-none-match"] ?? null, tag)) {
    release();
    response.writeHead(304, head).end();
    return;
  }
  const accepted = acceptedBy(request);
  if (accepted === "br") return sendForm(packed, accepted);
  const form = async (body: Buffer) => sendForm(await (accepted ? compressed(body, accepted) : body), accepted);
  return unpack(packed).then(form);
}

async function sendBody(
  request: IncomingMessage,
  response: ServerResponse,
  body: Buffer,
  release: () => void,
): Promise<void> {
  const accepted = TYPES.test(String(response.getHeader("content-type"))) ? acceptedBy(request) : null;
  const sent = await (accepted ? compressed(body, accepted) : body);
  if (accepted) response.setHeader("Content-Encoding", accepted);
  if (sent.length > 0 || response.statusCode === 200) response.setHeader("Content-Length", sent.length);
  release();
  response.end(request.method === "HEAD" ? undefined : sent);
}

function acceptedBy({ headers }: IncomingMessage): Encoding | null {
  return acceptedEncoding(String(headers["accept-encoding"] ?? ""));
}
