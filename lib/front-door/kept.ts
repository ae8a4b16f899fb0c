import { createHash } from "node:crypto";
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { brotliCompress, brotliDecompress, constants, gzip } from "node:zlib";
import { LRUCache } from "lru-cache";
import { namesTag } from "@/lib/file-answer";
import { siteOfHost } from "@/lib/host";
import { log } from "@/lib/log";
import { prefersMarkdown } from "@/lib/markdown-path";
import { noteOfRequest } from "@/lib/request";
import { type Captured, capture } from "./capture";
import { withoutNonce } from "./policy";

/** A page as it was rendered once, and as it is sent from then on. */
interface Kept {
  version: string;
  headers: OutgoingHttpHeaders;
  tag: string;
  /** The body, as brotli packs it: a tenth of its size. */
  packed: Buffer;
}

/** What is asked of the database before a kept page is sent: whose it is, and the version of what readers see. */
export type VersionOf = (subdomain: string) => Promise<{ workspaceId: string; version: string } | null>;

interface Settings {
  baseUrl: string;
  /** By which a request is known to come from somebody who is signed in, and may see other pages. */
  sessionCookie: string;
  versionOf: VersionOf;
}

/** The most that all kept pages take, in bytes. */
const MOST_BYTES = 64 * 2 ** 20;
/** How long a page is kept while nothing changes, in milliseconds: views do not make it stale, and yet some pages name the most read. */
const LONGEST_MS = 10 * 60_000;
/** What depends on the content alone, and the one parameter that some of it reads. */
const FILES =
  /^\/((sitemap|sitemaps\/\d{1,5}|feed)\.xml|robots\.txt|llms\.txt|(articles|categories)\/[a-z0-9-]{1,100}\.md)$/;
const PAGES = /^\/(articles\/[a-z0-9-]{1,100})?$/;
const LISTS = /^\/categories(\/[a-z0-9-]{1,100})?$/;
/** What others hang onto addresses to find out who came from where: it changes nothing. */
const TRACES = /^(utm_[a-z]+|fbclid|gclid|msclkid|mc_cid|mc_eid)$/;
/** How long a page that somebody else asked for is waited for, in milliseconds: as long as a unit of the database may take. */
const PATIENCE_MS = 2_000;
const TYPES = /^(text\/(html|plain|markdown)|application\/(atom\+)?xml)\b/;
/** What is said anew with each answer, or goes with the nonce. */
const OWN_HEADERS = new Set([
  ...["x-request-id", "content-length", "transfer-encoding", "connection", "keep-alive", "date", "cache-control", "etag"],
  "vary", "x-middleware-rewrite",
]); // biome-ignore format: a word list

const pack = promisify(brotliCompress);
const unpack = promisify(brotliDecompress);
const zip = promisify(gzip);

/**
 * Answers readers' pages that were rendered before, as long as nothing that readers see has changed since: the database
 * is asked for one number, within the request, so that no page is ever stale, whichever server changed it.
 * @returns answers a request: by a kept page, else by `render`, whose answer is kept where it may be
 */
export function keepPages({ baseUrl, sessionCookie, versionOf }: Settings) {
  const pages = new LRUCache<string, Kept>({
    maxSize: MOST_BYTES,
    ttl: LONGEST_MS,
    sizeCalculation: ({ packed }) => packed.length + 2_000,
  });
  /** Pages that are being rendered: who asks for the same meanwhile waits for it. */
  const rendering = new Map<string, Promise<Kept | null>>();

  return async (request: IncomingMessage, response: ServerResponse, render: () => void): Promise<void> => {
    const site = siteOfHost(request.headers.host ?? null, baseUrl);
    const address = keptAddress(request, sessionCookie);
    if (site.kind !== "subdomain" || address === null) return render();
    // Whatever is wrong with the database, rendering finds out too, and says it.
    const now = await versionOf(site.subdomain).catch(() => null);
    if (!now) return render();
    noteOfRequest({ workspaceId: now.workspaceId });
    // A subdomain may come to be another workspace's.
    const key = `${now.workspaceId} ${prefersMarkdown(request.headers.accept ?? null)} ${address}`;
    const known = pages.get(key);
    if (known?.version === now.version) return send(request, response, known);
    // What is rendered repeats its whole address: only the plain one is kept.
    if (address !== request.url) return render();

    const turn = `${now.version} ${key}`;
    const others = rendering.get(turn);
    if (others) {
      const rendered = await Promise.race([others, sleep(PATIENCE_MS, null, { ref: false })]);
      return rendered ? send(request, response, rendered) : render();
    }
    const done = new Promise<Kept | null>((resolve) => {
      // Who asked may leave meanwhile; the page is rendered to its end all the same, mostly.
      response.once("close", () => setTimeout(resolve, PATIENCE_MS, null).unref());
      const { method } = request;
      const encodings = request.headers["accept-encoding"];
      delete request.headers["accept-encoding"];
      request.method = "GET";
      const answer = async (captured: Captured, release: () => void) => {
        request.headers["accept-encoding"] = encodings;
        request.method = method;
        const page = await keptPage(captured, now.version);
        if (page) pages.set(key, page);
        resolve(page);
        release();
        await (page ? send(request, response, page) : sendBody(request, response, captured.body));
      };
      capture(response, (captured, release) => {
        answer(captured, release).catch((error: unknown) => {
          log().error({ err: error }, "A page could not be sent.");
          resolve(null);
          response.destroy();
        });
      });
      render();
    });
    rendering.set(turn, done);
    await done;
    rendering.delete(turn);
  };
}

/**
 * The address under which the answer to a request may be kept, without what changes nothing; null where it may not: it may
 * depend on who asks, or on more than the content.
 */
function keptAddress({ method, url = "", headers }: IncomingMessage, sessionCookie: string): string | null {
  if (method !== "GET" && method !== "HEAD") return null;
  if (headers.cookie?.includes(sessionCookie)) return null;
  const script = ["rsc", "next-router-prefetch", "next-router-state-tree", "next-action", "range"];
  if (script.some((name) => name in headers)) return null;
  const [path = "", ...rest] = url.split("?");
  if (!PAGES.test(path) && !LISTS.test(path) && !FILES.test(path)) return null;
  const query = rest.join("?").split("&");
  const read = query.filter((parameter) => parameter !== "" && !TRACES.test(parameter.split("=", 1)[0] ?? ""));
  if (read.length === 0) return path;
  return LISTS.test(path) && read.length === 1 && /^page=[1-9]\d{0,3}$/.test(read[0] ?? "")
    ? `${path}?${read[0]}`
    : null;
}

/** Null for what may not be kept: an error, a redirect, what sets a cookie, a file that is not for everybody. */
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
    // Of a page the framework says so whatever it shows.
  } else if (/private|no-store/.test(String(headers["cache-control"] ?? ""))) return null;
  const tag = createHash("sha256").update(whole).digest("base64url").slice(0, 22);
  return { version, headers: own, tag: `"${tag}"`, packed: await packed(whole) };
}

async function send(request: IncomingMessage, response: ServerResponse, page: Kept): Promise<void> {
  for (const name of response.getHeaderNames()) {
    if (name !== "x-request-id" && name !== "connection") response.removeHeader(name);
  }
  for (const [name, value] of Object.entries(page.headers)) if (value !== undefined) response.setHeader(name, value);
  // A client asks each time whether it is still true, and is mostly told so in a line.
  response.setHeader("Cache-Control", "public, max-age=0, must-revalidate");
  response.setHeader("Vary", "Accept, Accept-Encoding, Cookie, RSC");
  response.setHeader("ETag", `W/${page.tag}`);
  if (namesTag(request.headers["if-none-match"] ?? null, page.tag)) {
    response.statusCode = 304;
    return void response.end();
  }
  response.statusCode = 200;
  const accepted = acceptedEncoding(request);
  if (accepted === "br") return end(request, response, page.packed, accepted);
  return sendBody(request, response, await unpack(page.packed));
}

/** Sends a text that was captured, compressed as the client can read it. */
async function sendBody(request: IncomingMessage, response: ServerResponse, body: Buffer): Promise<void> {
  const accepted = TYPES.test(String(response.getHeader("content-type"))) ? acceptedEncoding(request) : null;
  if (accepted === "br") end(request, response, await packed(body), accepted);
  else if (accepted === "gzip") end(request, response, await zip(body), accepted);
  else end(request, response, body, null);
}

function end({ method }: IncomingMessage, response: ServerResponse, body: Buffer, encoding: string | null): void {
  if (encoding) response.setHeader("Content-Encoding", encoding);
  if (body.length > 0 || response.statusCode === 200) response.setHeader("Content-Length", body.length);
  response.end(method === "HEAD" ? undefined : body);
}

function acceptedEncoding({ headers }: IncomingMessage): "br" | "gzip" | null {
  const accepted = String(headers["accept-encoding"] ?? "");
  if (/\bbr\b(?!\s*;\s*q=0(\.0*)?(,|$))/.test(accepted)) return "br";
  return /\bgzip\b(?!\s*;\s*q=0(\.0*)?(,|$))/.test(accepted) ? "gzip" : null;
}

/** At a tenth of a millisecond for each kilobyte, since it is done once for all who ask. */
function packed(body: Buffer): Promise<Buffer> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 6, [constants.BROTLI_PARAM_SIZE_HINT]: body.length };
  return pack(body, { params });
}
