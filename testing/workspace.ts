import { randomBytes, randomUUID } from "node:crypto";
import { request } from "node:http";
import { Client } from "pg";
import type { Handler } from "@/lib/api/route";
import { createApiKey } from "@/lib/api-keys/api-keys";
import { everyScope } from "@/lib/api-keys/scopes";
import { emptyText } from "@/lib/articles/article-text";
import type { ArticleToStore } from "@/lib/articles/store";
import { storeArticles } from "@/lib/articles/store";
import type { Actor } from "@/lib/audit/audit";
import { contentFromHtml } from "@/lib/content/content";
import { derivedText } from "@/lib/content/derive";
import { slugify } from "@/lib/content/slug";
import { type Db, inWorkspace } from "@/lib/db";
import { env } from "@/lib/env";
import { workspaceUrl } from "@/lib/http/host";
import type { Member } from "@/lib/members/members";
import { createWorkspace, type Workspace } from "@/lib/workspaces/workspaces";
import { migrate } from "@/server/migrate";
import { assertDocumented, paramsAt } from "@/testing/document";
import { aServerLogin, letServersIn, type ServerLogin } from "@/testing/logins";
import { copyOfTemplate } from "@/testing/template";

/** A workspace of one test, with one member and one key. */
export interface TestWorkspace extends Workspace {
  admin: Member;
  /** The administrator, as the `actor` of library calls. */
  actor: Actor;
  /** A key that may read and write. */
  key: { id: string; text: string };
}

/** Creates a workspace unknown to all other tests: default roles, an administrator, an API key. */
export async function aWorkspace(
  options: { subdomain?: string; name?: string; timeZone?: string } = {},
): Promise<TestWorkspace> {
  const random = randomBytes(6).toString("hex");
  const subdomain = options.subdomain ?? `t-${random}`;
  const { administrator: admin, ...workspace } = await createWorkspace(
    {
      name: `Workspace ${random}`,
      ...options,
      subdomain,
      administrator: { email: `admin@${subdomain}.example`, firstName: "Ada", lastName: "Admin" },
    },
    { kind: "system", id: null, name: "test" },
  );
  const actor: Actor = { kind: "member", id: admin.id, name: admin.email };
  const key = await inWorkspace(workspace.id, (db) =>
    createApiKey(db, { name: "test", scopes: everyScope, createdBy: admin.id }, actor),
  );
  return { ...workspace, admin, actor, key };
}

/** An API handler's answer. `body` is its JSON, or else its text, or null. */
export interface Answered {
  status: number;
  headers: Headers;
  body: any;
  /** The body as it was sent. */
  text: string;
}

/**
 * Where `call` sends its requests. By default it calls the handlers as functions. With a running server, the
 * same tests go through the production front door or through Next (bin/test.mjs).
 */
const server = process.env.CONTRACT_SERVER;

/**
 * Calls a handler of the external API at the workspace's host, from an IP that no other test has, and checks the answer
 * against the OpenAPI document.
 * @param path with its query, such as "/api/external/v2/articles?state=draft". The last segments are the parameters
 * @param options.key the workspace's own by default, or null sends none
 * @param options.body an object is sent as JSON, text and bytes as they are
 */
export async function call(
  handler: Handler,
  workspace: Pick<TestWorkspace, "subdomain" | "key">,
  path: string,
  options: { method?: string; key?: string | null; headers?: Record<string, string>; body?: object | string } = {},
): Promise<Answered> {
  const url = new URL(path, workspaceUrl(workspace.subdomain, env().baseUrl));
  const headers = new Headers({ host: url.host });
  const key = options.key === undefined ? workspace.key.text : options.key;
  if (key !== null) headers.set("x-api-key", key);
  headers.set("x-forwarded-for", [10, ...randomBytes(3)].join("."));
  if (options.body !== undefined) headers.set("content-type", "application/json");
  for (const [name, value] of Object.entries(options.headers ?? {})) headers.set(name, value);
  const method = options.method ?? "GET";
  const isJsonBody = typeof options.body === "object" && !(options.body instanceof Uint8Array);
  const body = isJsonBody
    ? JSON.stringify(options.body)
    : (options.body as string | Uint8Array<ArrayBuffer> | undefined);
  const answer = server
    ? await sent(url, { method, headers, body })
    : await called(handler, url, { method, headers, body });
  const text = await answer.text();
  const isJson = answer.headers.get("content-type")?.startsWith("application/json");
  const answered = {
    status: answer.status,
    headers: answer.headers,
    body: isJson && text ? JSON.parse(text) : text || null,
    text,
  };
  assertDocumented({ method, path, ...answered });
  return answered;
}

interface CallOptions {
  method: string;
  headers: Headers;
  body: string | Uint8Array<ArrayBuffer> | undefined;
}

async function called(handler: Handler, url: URL, options: CallOptions): Promise<Response> {
  const { method, ...rest } = options;
  const apiRequest = new Request(url, { ...rest, method: rest.body === undefined ? "GET" : "POST" });
  // As lib/api/http.ts does, since the constructor refuses TRACE.
  Object.defineProperty(apiRequest, "method", { value: method });
  return handler(apiRequest, { params: Promise.resolve(paramsAt(url.pathname)) });
}

/** Uses node:http, because fetch cannot set the Host header and Node does not resolve *.localhost everywhere. */
function sent(url: URL, { method, headers, body }: CallOptions): Promise<Response> {
  return new Promise((resolve, reject) => {
    const path = url.pathname + url.search;
    // Node sends no length with a DELETE.
    if (body !== undefined) headers.set("content-length", String(Buffer.byteLength(body)));
    const outgoing = request(server as string, { path, method, headers: Object.fromEntries(headers) }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
      incoming.once("error", reject);
      incoming.once("end", () => {
        const { statusCode: status = 0, headers: received } = incoming;
        const answered = new Headers(
          Object.entries(received).map(([name, value]): [string, string] => [name, String(value)]),
        );
        const text = chunks.length > 0 ? Buffer.concat(chunks) : null;
        resolve(new Response(text, { status, headers: answered }));
      });
    });
    outgoing.once("error", reject);
    outgoing.end(body);
  });
}

/** The servers for tests of the database itself: the test server, and a PostgreSQL 15 if TEST_PG15_URL is set. */
export const testServers = Object.entries({
  "the test server": process.env.DATABASE_URL,
  "PostgreSQL 15": process.env.TEST_PG15_URL,
}).filter((entry): entry is [string, string] => Boolean(entry[1]));

/** A database of one test. */
export interface TestDatabase {
  url: string;
  /** Connects as the owner of its tables, whom no policy limits, until it is dropped. */
  connect: () => Promise<Client>;
  /** Creates a login for servers (docs/operate.md, "Two database logins"), until it is dropped. Gives the URL with that login. */
  serverLogin: () => Promise<string>;
  drop: () => Promise<void>;
}

/**
 * Creates a migrated database for tests that change the database itself.
 * @param server the URL of a database on the server, with a role that may create databases
 */
export async function aDatabase(server: string): Promise<TestDatabase> {
  const name = `lectern_test_${randomBytes(6).toString("hex")}`;
  const url = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  const clients: Client[] = [];
  const logins: ServerLogin[] = [];
  const template = process.env.DATABASE_TEMPLATE;
  // Browser tests have a database without a template.
  if (template && server === process.env.DATABASE_URL) {
    await run(server, copyOfTemplate(name, template));
  } else {
    await run(server, `CREATE DATABASE ${name}`);
    await letServersIn(url);
    await migrate(url);
  }
  return {
    url,
    async connect() {
      const client = new Client({ connectionString: url });
      clients.push(client);
      await client.connect();
      return client;
    },
    async serverLogin() {
      const login = await aServerLogin(url);
      logins.push(login);
      return login.url;
    },
    async drop() {
      for (const client of clients) await client.end();
      for (const login of logins) await login.drop();
      await run(server, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

async function run(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(sql);
  await client.end();
}

/**
 * Runs two writers at the same time: `second` starts within the transaction of `first`, which commits once `second`
 * waits for a lock or ends.
 * @returns the result of `second`
 */
export async function whileOpen<T>(
  workspaceId: string,
  first: (db: Db) => Promise<unknown>,
  second: () => Promise<T>,
): Promise<T> {
  let ended = false;
  const started = await inWorkspace(workspaceId, async (db) => {
    await first(db);
    const work = second().finally(() => {
      ended = true;
    });
    // The error surfaces below.
    work.catch(() => {});
    const waiting = () => db.$queryRaw<object[]>`
      SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))`;
    while (!ended && (await waiting()).length === 0);
    // Wrapped in an object, because a returned promise would be awaited.
    return { work };
  });
  return started.work;
}

/** Creates a category, with a unique name by default. */
export async function aCategory(
  workspace: { id: string },
  options: {
    id?: string;
    name?: string;
    slug?: string;
    description?: string;
    sequence?: number;
    parentId?: string;
  } = {},
): Promise<{ id: string; name: string; slug: string }> {
  const name = options.name ?? `Category ${randomBytes(6).toString("hex")}`;
  return inWorkspace(workspace.id, (db) =>
    db.category.create({
      data: { ...options, name, slug: options.slug ?? slugify(name) },
      select: { id: true, name: true, slug: true },
    }),
  );
}

/** Creates categories up to this number. */
export async function manyCategories(workspace: { id: string }, count: number): Promise<void> {
  await inWorkspace(
    workspace.id,
    async (db) => {
      // If the table was recently empty, the trigger would scan all of it for each row.
      await db.$executeRaw`SET LOCAL enable_seqscan = off`;
      await db.$executeRaw`SET LOCAL plan_cache_mode = force_custom_plan`;
      await db.$executeRaw`
        INSERT INTO categories (id, name, slug) SELECT gen_random_uuid(), 'Of many ' || n, 'of-many-' || n
        FROM generate_series((SELECT count(*) FROM categories) + 1, ${count}::int) n`;
    },
    60,
  );
}

/**
 * Stores an article the way an import does, published by default.
 * @param within the transaction to use. Its own by default
 */
export async function anArticle(
  workspace: { id: string; admin: { id: string } },
  options: Partial<Omit<ArticleToStore, "body">> & { category: ArticleToStore["category"]; html?: string },
  within?: Db,
): Promise<{ id: string; slug: string; title: string }> {
  const { html = "<p>Nothing yet.</p>", ...rest } = options;
  const id = options.id ?? randomUUID();
  const title = options.title ?? `Article ${randomBytes(6).toString("hex")}`;
  const slug = options.slug ?? slugify(title);
  const body = await derivedText(contentFromHtml(html));
  const article: ArticleToStore = {
    state: "published",
    sequence: 0,
    authorId: workspace.admin.id,
    ...emptyText,
    tags: [],
    relatedIds: [],
    createdAt: null,
    updatedAt: new Date(),
    source: { path: `${id}.md`, hash: null },
    ...rest,
    id,
    title,
    slug,
    body,
  };
  const store = (db: Db) => storeArticles(db, [article]);
  await (within ? store(within) : inWorkspace(workspace.id, store));
  return { id, slug, title };
}
