import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, request, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import { keepPages, keptAddress, sendKept } from "./kept";
import { wrapResponse } from "./response";

// The page cache, with pages made here. e2e tests it with the product's pages.

let server: Server;
let version: string;
/** The workspace of every subdomain without its own. */
let owner: string | undefined;
let rendered: string[];
let render: (response: ServerResponse, url: string) => void;
/** Whether pages contain the URL of their request, as Next's do. */
let repeats: boolean;

const nonce = "bm9uY2Utb2YtdGhpcy1wYWdl";
const own = "document.title = 'own'";
const framework = "self.__next_f.push([1,'hello'])";
const policy = `default-src 'self'; script-src 'nonce-${nonce}' 'strict-dynamic'; style-src 'self' 'nonce-${nonce}'; img-src 'self'`;
const html = (text: string) =>
  `<html><head><style nonce="${nonce}">a{}</style><link rel="preload" as="script" nonce="${nonce}" href="/_next/a.js"/>` +
  `<script src="/_next/a.js" nonce="${nonce}" async=""></script></head><body>${text}<script>alert(1)</script>` +
  `<script data-own="" nonce="${nonce}">${own}//${nonce}</script><script nonce="${nonce}">${framework}</script></body></html>`;

function page(response: ServerResponse, text: string): void {
  response.setHeader("Link", `</_next/a.woff2>; rel=preload; as="font"; nonce="${nonce}"`);
  response.writeHead(200, { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": policy });
  response.write(html(text).slice(0, 40));
  response.end(html(text).slice(40));
}

beforeEach(async () => {
  version = "1";
  owner = undefined;
  rendered = [];
  repeats = true;
  render = (response, url) => page(response, `${url} ${rendered.length}`);
  const kept = keepPages("lectern-session", "/_scripts/main.js");
  server = createServer((incoming, response) => {
    const subdomain = String(incoming.headers.host).split(".", 1)[0] ?? "";
    const workspace = { workspaceId: owner ?? subdomain, version };
    const page = kept.find(incoming, workspace);
    if (page) return void sendKept(incoming, response, page);
    void kept.renderAndKeep(
      incoming,
      wrapResponse(response, () => undefined),
      workspace,
      () => {
        if (!repeats) incoming.url = keptAddress(incoming, "lectern-session") ?? incoming.url;
        rendered.push(`${incoming.method} ${incoming.headers.host} ${incoming.url}`);
        render(response, String(incoming.url));
      },
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

function ask(
  path: string,
  headers: Record<string, string> = {},
  { method = "GET", subdomain = "docs" } = {},
): Promise<Answer> {
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const sent = { host: `${subdomain}.localhost:3000`, ...headers };
    request({ host: "127.0.0.1", port, path, method, headers: sent }, (answer) => {
      buffer(answer).then((body) => {
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body });
      }, reject);
    })
      .once("error", reject)
      .end();
  });
}

test("a page is rendered once, and again after visible content has changed", async () => {
  const first = await ask("/articles/one");
  expect((await ask("/articles/one")).body).toEqual(first.body);
  expect(rendered).toHaveLength(1);
  version = "2";
  const second = await ask("/articles/one");
  expect(rendered).toHaveLength(2);
  expect(second.body).not.toEqual(first.body);
  expect((await ask("/articles/one")).body).toEqual(second.body);
});

test("each workspace, address, query and form has its own", async () => {
  const bodies = new Set<string>();
  for (const path of ["/articles/one", "/categories/one", "/categories/one?page=2"])
    bodies.add(String((await ask(path)).body));
  bodies.add(String((await ask("/articles/one", {}, { subdomain: "other" })).body));
  bodies.add(String((await ask("/articles/one", { accept: "text/markdown" })).body));
  expect([bodies.size, rendered.length]).toEqual([5, 5]);
});

test("a subdomain that is another workspace's by now does not show what it did", async () => {
  owner = "former";
  const { body } = await ask("/");
  expect((await ask("/")).body).toEqual(body);
  owner = "present";
  expect((await ask("/")).body).not.toEqual(body);
});

test("who waits for a page that never comes has it rendered for themselves", async () => {
  let start = () => {};
  const started = new Promise<void>((resolve) => {
    start = resolve;
  });
  render = (response, url) => (rendered.length === 1 ? start() : page(response, url));
  const { port } = server.address() as AddressInfo;
  const stuck = request({ host: "127.0.0.1", port, path: "/", headers: { host: "docs.localhost:3000" } });
  stuck.on("error", () => {});
  stuck.end();
  await started;
  expect((await ask("/")).status).toBe(200);
  stuck.destroy();
});

test.each([
  ["kept", "/articles/one"],
  ["not kept", "/search?q=one"],
])("what ends twice is answered once, whole: %s", async (_, path) => {
  render = (response, url) => {
    page(response, url);
    response.end("again");
  };
  const first = await ask(path);
  expect(String(first.body)).toContain(path);
  expect(String(first.body)).not.toContain("again");
});

test("many concurrent requests wait for one rendering", async () => {
  let finish = () => {};
  const started = new Promise<void>((resolve) => {
    render = (response, url) => {
      finish = () => page(response, url);
      resolve();
    };
  });
  const answers = Array.from({ length: 16 }, () => ask("/"));
  await started;
  // By then the others have requested their version.
  for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve));
  finish();
  const bodies = (await Promise.all(answers)).map(({ body }) => String(body));
  expect([new Set(bodies).size, rendered.length]).toEqual([1, 1]);
});

test("the page's own scripts are allowed by their hashes, what came by its content is not, and the nonce is gone", async () => {
  const { headers, body } = await ask("/");
  const hash = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  expect(headers["content-security-policy"]).toBe(
    `default-src 'self'; script-src 'self' ${hash(`${own}//`)}; style-src 'self' ${hash("a{}")}; img-src 'self'`,
  );
  expect(JSON.stringify(headers) + String(body)).not.toContain(nonce);
  expect(String(body)).toContain(`<script data-own="">${own}//</script>`);
  expect(String(body)).toContain("<script>alert(1)</script>");
});

test.each([
  ["kept", "/", {}],
  ["not kept", "/search?q=one", {}],
  ["requested by a client-side navigation", "/", { rsc: "1", "next-router-state-tree": "%5B%5D" }],
])("a reader page has the reader script instead of the framework's: %s", async (_, path, headers) => {
  const body = String((await ask(path, headers)).body);
  expect(body).toMatch(/<script type="module"[^>]* src="\/_scripts\/main.js"><\/script><\/head>/);
  expect(body).not.toContain("_next");
  expect(body).toContain(own);
});

test.each([
  ["a member's page", "/admin", 200],
  ["an error", "/", 500],
])("%s keeps the framework's scripts", async (_, path, status) => {
  render = (response) => {
    response.statusCode = status;
    response.setHeader("Content-Security-Policy", policy);
    response.setHeader("Content-Type", "text/html");
    response.end(html(""));
  };
  expect(String((await ask(path)).body)).toBe(html(""));
});

test.each([
  ["a signed-in member", "/", { cookie: "a=b; __Host-lectern-session=x" }],
  ["the results of a search", "/search?q=one", {}],
  ["the admin UI", "/admin", {}],
  ["an address with a parameter that may say more", "/articles/one?preview=token", {}],
  ["what lies beside the pages", "/uploads/one", {}],
])("nothing is kept for %s, nor shown to them", async (_, path, headers) => {
  await ask("/");
  const before = rendered.length;
  const answers = [await ask(path, headers), await ask(path, headers)];
  expect(rendered).toHaveLength(before + 2);
  // Rendered with a nonce, which must stay.
  for (const { headers: sent } of answers) expect(sent["content-security-policy"]).toBe(policy);
});

test.each([
  ["an error", (response: ServerResponse) => response.writeHead(500).end("no")],
  [
    "what is not there",
    (response: ServerResponse) => response.writeHead(404, { "content-type": "text/html" }).end("no"),
  ],
  ["a redirect", (response: ServerResponse) => response.writeHead(301, { location: "/articles/two" }).end()],
  [
    "what sets a cookie",
    (response: ServerResponse) => {
      response.setHeader("Set-Cookie", "a=b");
      page(response, "x");
    },
  ],
])("%s is answered as it was rendered, each time", async (_, answer) => {
  render = answer;
  const [one, two] = [await ask("/x"), await ask("/x")];
  expect(rendered).toHaveLength(2);
  const { date: _one, ...headers } = one.headers;
  expect({ ...two, headers: { ...two.headers, date: undefined } }).toEqual({
    ...one,
    headers: { ...headers, date: undefined },
  });
});

test("parameters that change nothing get the page, which is kept unless it repeats its URL", async () => {
  for (const query of ["?utm_source=a", "?utm_source=b", ""]) await ask(`/articles/one${query}`);
  expect(rendered).toHaveLength(3);
  expect((await ask("/articles/one?utm_source=c")).body).toEqual((await ask("/articles/one")).body);
  expect(rendered).toHaveLength(3);
  version = "2";
  repeats = false;
  for (const query of ["?x=1", "?x=2", ""]) await ask(`/articles/one${query}`);
  expect(rendered).toHaveLength(4);
  for (const query of ["?page=2&x=1", "?x=2&page=2", "?p%61ge=2", "?page=3"]) await ask(`/categories/one${query}`);
  expect(rendered).toHaveLength(6);
});

test("a page is kept although another request for it, with parameters, is being rendered", async () => {
  const [, plain] = await Promise.all([ask("/articles/one?x=1"), ask("/articles/one")]);
  expect((await ask("/articles/one")).body).toEqual(plain.body);
  expect(rendered).toHaveLength(2);
});

test("files ignore their query, and pages for developers are kept until a reader chooses a language", async () => {
  const plain = await ask("/feed.xml");
  expect((await ask("/feed.xml?x=1")).body).toEqual(plain.body);
  await ask("/sitemap.xml?x=1");
  await ask("/sitemap.xml?x=2");
  for (const _ of [1, 2]) await ask("/developers/v2");
  expect(rendered).toHaveLength(3);
  for (const _ of [1, 2]) await ask("/developers/v2", { cookie: "sample_language=python" });
  for (const _ of [1, 2]) await ask("/developers/v2?language=python");
  expect(rendered).toHaveLength(7);
});

test("who has the page already is told so", async () => {
  const { headers, status } = await ask("/");
  expect([status, headers["cache-control"]]).toEqual([200, "public, max-age=0, must-revalidate"]);
  for (const known of [`"other", ${headers.etag}`, String(headers.etag).slice(2), "*"]) {
    const again = await ask("/", { "if-none-match": known });
    expect([known, again.status, again.body.length, again.headers.etag]).toEqual([known, 304, 0, headers.etag]);
  }
  version = "2";
  expect((await ask("/", { "if-none-match": String(headers.etag) })).status).toBe(200);
});

test("it is sent compressed as the client can read it, and its head alone where that is asked", async () => {
  const { body } = await ask("/");
  const [br, gzip] = [await ask("/", { "accept-encoding": "gzip, br" }), await ask("/", { "accept-encoding": "gzip" })];
  expect([br.headers["content-encoding"], gzip.headers["content-encoding"]]).toEqual(["br", "gzip"]);
  expect([brotliDecompressSync(br.body), gunzipSync(gzip.body)]).toEqual([body, body]);
  expect((await ask("/", { "accept-encoding": "br;q=0" })).body).toEqual(body);
  expect(rendered).toHaveLength(1);
  // Also if the first request is a HEAD.
  for (const path of ["/", "/articles/two"]) {
    const head = await ask(path, {}, { method: "HEAD" });
    const get = await ask(path);
    expect([head.status, head.headers["content-length"], head.body.length]).toEqual([200, String(get.body.length), 0]);
    expect(head.headers.etag).toBe(get.headers.etag);
  }
  expect(rendered).toEqual(["GET docs.localhost:3000 /", "GET docs.localhost:3000 /articles/two"]);
  const nothing = (response: ServerResponse) =>
    response.writeHead(404, { "content-type": "text/html" }).end("nothing ".repeat(99));
  render = nothing;
  const missing = await ask("/articles/three", { "accept-encoding": "br" });
  expect([missing.status, String(brotliDecompressSync(missing.body))]).toEqual([404, "nothing ".repeat(99)]);
});

test("when who asked first is gone before the page is there, the next ones are answered all the same", async () => {
  let start = () => {};
  const started = new Promise<void>((resolve) => {
    start = resolve;
  });
  let turn = 0;
  render = (response, url) => {
    if (turn++ === 0) start();
    else page(response, url);
  };
  const { port } = server.address() as AddressInfo;
  const first = request({ host: "127.0.0.1", port, path: "/", headers: { host: "docs.localhost:3000" } });
  first.on("error", () => {});
  first.end();
  await started;
  const second = ask("/");
  first.destroy();
  expect((await second).status).toBe(200);
  expect((await ask("/")).status).toBe(200);
});
