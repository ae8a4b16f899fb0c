import { readdirSync, readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { LRUCache } from "lru-cache";
import { acceptedEncoding, compressed, type Encoding } from "@/lib/http/compression";

export const SCRIPTS = "/_scripts/";

/** The scripts of reader pages. */
export interface ReaderScripts {
  /** The URL of the script that every reader page loads. */
  main: string;
  /** Answers requests for scripts. @returns null for other requests */
  answer: (request: IncomingMessage, response: ServerResponse) => Promise<void> | null;
}

/**
 * Serves the scripts that `npm run build` bundled. Their names contain a hash, so browsers can cache them.
 * @param folder dist/scripts, or null to bundle the sources for each request, as in development
 */
export function readerScripts(folder: string | null): ReaderScripts {
  const built =
    folder === null ? null : new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]));
  const main = built ? [...built.keys()].find((name) => name.startsWith("main-")) : "main.js";
  if (main === undefined) throw new Error(`${folder} has no scripts. Run npm run build.`);
  const newest = main;
  const packed = new LRUCache<string, Buffer>({ max: 20 });

  return {
    main: SCRIPTS + main,
    answer: (request, response) => (request.url?.startsWith(SCRIPTS) ? send(request, response) : null),
  };

  async function send({ url = "", method, headers }: IncomingMessage, response: ServerResponse): Promise<void> {
    const name = url.slice(SCRIPTS.length).split("?", 1)[0] ?? "";
    const files = built ?? (await bundled());
    // During an upgrade, a page can come from a server that runs another version.
    const current = !files.has(name) && name.startsWith("main-") ? newest : name;
    const file = files.get(current);
    response.setHeader("X-Content-Type-Options", "nosniff");
    if (!file || (method !== "GET" && method !== "HEAD")) {
      response.writeHead(404, { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" });
      return void response.end("Script not found. Reload the page.\n");
    }
    const encoding = acceptedEncoding(String(headers["accept-encoding"] ?? ""));
    const body = encoding ? await packedAs(current, file, encoding) : file;
    if (encoding) response.setHeader("Content-Encoding", encoding);
    response.writeHead(200, {
      "Content-Type": "text/javascript; charset=utf-8",
      "Content-Length": body.length,
      "Cache-Control": built && current === name ? "public, max-age=31536000, immutable" : "no-cache",
      Vary: "Accept-Encoding",
    });
    response.end(method === "HEAD" ? undefined : body);
  }

  async function packedAs(name: string, file: Buffer, encoding: Encoding): Promise<Buffer> {
    const key = `${encoding} ${name}`;
    const known = built ? packed.get(key) : undefined;
    if (known) return known;
    const made = await compressed(file, encoding);
    packed.set(key, made);
    return made;
  }
}

async function bundled(): Promise<Map<string, Buffer>> {
  const [{ build }, { bundleScripts }] = await Promise.all([import("esbuild"), import("@/bin/scripts.mjs")]);
  const files = await bundleScripts(build, { outdir: SCRIPTS, hashed: false, write: false });
  return new Map(files.map(({ path, contents }) => [path.slice(path.lastIndexOf("/") + 1), Buffer.from(contents)]));
}
