import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { encode } from "next-auth/jwt";
import { Webhook } from "standardwebhooks";
import { createApiKey } from "@/lib/api-keys/api-keys";
import { everyScope } from "@/lib/api-keys/scopes";
import { type BulkRequest, startBulkAction } from "@/lib/articles/bulk";
import { publishArticles } from "@/lib/articles/publish";
import type { Actor } from "@/lib/audit/audit";
import { acrossWorkspaces, inWorkspace } from "@/lib/db";
import { UnavailableError } from "@/lib/errors";
import { createMember } from "@/lib/members/members";
import { SESSION_COOKIE } from "@/lib/session/cookie";
import { createEndpoint } from "@/lib/webhooks/endpoints";
import { aCategory, anArticle, aWorkspace } from "@/testing/workspace";
import type { Installation } from "./installation";

/** A writer and its progress. */
export interface Writer {
  name: string;
  /** The number of the last write that was acknowledged, and of the last one that was sent. */
  acknowledged: number;
  sent: number;
  /** Writes one after the other, each with the next number, until it is stopped. */
  write(): Promise<void>;
  /** @returns the stored number of each field that a write sets. They are equal unless the write was half applied */
  stored(): Promise<number[]>;
  /** @returns the number of acknowledged writes missing from the history, if there is one that holds each */
  missing?(): Promise<number>;
}

export interface Writers {
  all: Writer[];
  /** Those of them whose writes go through the server. */
  served: Writer[];
  /** Told when a fault begins, and when all served writers could write again. */
  atFault?(isOn: boolean): void;
  /** Starts or stops all writers and readers. Stopping waits until none has a request on its way. */
  run(): Promise<void>;
  pause(): Promise<void>;
  /** The longest wait for an answer, in milliseconds, since the last call, and answers that should not have been given. */
  waited(): { longest: number; strange: string[]; cut: number };
  /** Sends this many changes of one member together. */
  crowd(count: number): Promise<void>;
  memberOfCrowd: string;
}

/** Between two saves of one member: the limit is 120 a minute. */
const SAVE_MS = 520;
const PAUSE_MS = 5;
/** Keys of a writer that creates: each may write 120 times a minute. */
const KEYS = 20;
const FILE_BYTES = 10_000;
/** How long the job of a killed server may take until another server has done it. */
const SETTLED_MS = 120_000;
/** Articles that a bulk action moves back and forth: more than one transaction's. */
const MOVED = 60;

interface Answer {
  status: number;
  body: string;
  headers: Record<string, string | string[] | undefined>;
}

/** Reads what is stored, however long the database takes to come back. */
async function stored<Row extends object>(sql: string, values: readonly unknown[]): Promise<Row[]> {
  for (const end = Date.now() + SETTLED_MS; ; await sleep(500)) {
    try {
      return await acrossWorkspaces.query<Row>(sql, values, 20);
    } catch (error) {
      if (!(error instanceof UnavailableError) || Date.now() > end) throw error;
    }
  }
}

/**
 * A workspace with writers: four save drafts, four change members and some create articles by the API, one publishes, one
 * moves articles and one uploads files.
 * @param creators how many create articles
 * @param withWebhooks has the server tell this process about created articles. It must allow loopback addresses
 */
export async function someWriters(
  installation: Installation,
  { withWebhooks = false, creators = 2 } = {},
): Promise<Writers> {
  const { address, baseUrl, settings } = installation;
  const workspace = await aWorkspace({ subdomain: "faults", name: "Faults" });
  const category = await aCategory(workspace, { name: "Here" });
  const other = await aCategory(workspace, { name: "There" });
  const host = `${workspace.subdomain}.${new URL(baseUrl).host}`;
  const origin = `http://${host}`;
  const agent = new Agent({ keepAlive: true, maxSockets: 100 });
  let isRunning = false;
  let longest = 0;
  let cut = 0;
  let strange: string[] = [];
  const working = new Set<Promise<void>>();

  /** Null without an answer. */
  const send = (
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: object | string,
  ): Promise<Answer | null> => {
    const began = performance.now();
    return new Promise<Answer | null>((resolve) => {
      const sent = request(`${address}${path}`, { method, agent, headers: { host, ...headers } }, (incoming) => {
        const parts: Buffer[] = [];
        incoming.on("data", (part: Buffer) => parts.push(part));
        incoming.once("error", () => resolve(null));
        incoming.once("end", () => {
          const { statusCode: status = 0 } = incoming;
          resolve({ status, body: Buffer.concat(parts).toString(), headers: incoming.headers });
        });
      });
      sent.once("error", (error: NodeJS.ErrnoException) => {
        if (error.code !== "ECONNREFUSED") cut++;
        resolve(null);
      });
      sent.end(typeof body === "object" ? JSON.stringify(body) : body);
    }).then((answer) => {
      longest = Math.max(longest, performance.now() - began);
      if (answer && ![200, 201, 409, 429, 503].includes(answer.status))
        strange.push(`${method} ${path}: ${answer.status} ${answer.body.slice(0, 200)}`);
      return answer;
    });
  };
  const json = { "content-type": "application/json" };
  const key = { "x-api-key": workspace.key.text };

  const aMember = async (name: string) =>
    (
      await inWorkspace(workspace.id, (db) =>
        createMember(
          db,
          { email: `${name}@example.com`, firstName: "0", lastName: "0", role: "Admin" },
          workspace.actor,
        ),
      )
    ).id;

  /** Saves a draft as a browser does: again with the same text until there is an answer. */
  const editor = async (name: string): Promise<Writer> => {
    const member = await aMember(name);
    const article = await anArticle(workspace, { category, title: `${name} 0`, state: "draft", html: "<p>0</p>" });
    const [session] = await stored<{ id: string }>(
      "INSERT INTO sessions (workspace_id, member_id, expires_at) VALUES ($1, $2, now() + interval '1 day') RETURNING id",
      [workspace.id, member],
    );
    const token = { session: session?.id, workspace: workspace.id };
    const cookie = `${SESSION_COOKIE}=${await encode({ token, secret: settings.AUTH_SECRET as string })}`;
    let revision = 1;
    const writer: Writer = {
      ...{ name, acknowledged: 0, sent: 0 },
      async write() {
        if (writer.sent === writer.acknowledged) writer.sent++;
        const number = String(writer.sent);
        const text = {
          ...{ title: `${name} ${number}`, html: `<p>${number}</p>`, keywords: [number], metaDescription: number },
          ...{ pageTitle: null, showTableOfContents: true, tags: [], relatedIds: [], attachmentIds: [] },
        };
        const answer = await send(
          "PUT",
          `/api/drafts/${article.id}`,
          { ...json, cookie, origin },
          { writer: member, revision, text },
        );
        const found =
          answer && [200, 409].includes(answer.status)
            ? (JSON.parse(answer.body) as { revision?: number; now?: { revision: number } })
            : null;
        revision = found?.revision ?? found?.now?.revision ?? revision;
        if (answer?.status === 200) writer.acknowledged = writer.sent;
        await sleep(SAVE_MS);
      },
      async stored() {
        const [row] = await stored<{ numbers: string[] }>(
          `SELECT ARRAY[split_part(a.title, ' ', 2), split_part(d.title, ' ', 2), d.text, coalesce(d.keywords[1], '0'),
             coalesce(d.meta_description, '0'), split_part(s.title, ' ', 2)] AS numbers
           FROM articles a LEFT JOIN article_drafts d ON d.workspace_id = a.workspace_id AND d.id = a.id
           LEFT JOIN search_documents s ON s.workspace_id = a.workspace_id AND s.id = a.id WHERE a.id = $1`,
          [article.id],
        );
        return (row?.numbers ?? []).map(Number);
      },
    };
    return writer;
  };

  /** Changes a member by the API. Each change leaves an entry in the audit log. */
  const program = async (name: string): Promise<Writer> => {
    const member = await aMember(name);
    let acknowledged = 0;
    const writer: Writer = {
      ...{ name, acknowledged: 0, sent: 0 },
      async write() {
        writer.sent++;
        const number = String(writer.sent);
        const answer = await send(
          "PATCH",
          `/api/external/v2/team-members/${member}`,
          { ...json, ...key },
          { first_name: number, last_name: number },
        );
        if (answer?.status === 200) {
          writer.acknowledged = writer.sent;
          acknowledged++;
        }
        await sleep(answer ? PAUSE_MS : 10 * PAUSE_MS);
      },
      async stored() {
        const [row] = await stored<{ numbers: string[] }>(
          `SELECT ARRAY[m.first_name, m.last_name] AS numbers FROM members m WHERE m.id = $1`,
          [member],
        );
        return (row?.numbers ?? []).map(Number);
      },
      async missing() {
        const [row] = await stored<{ count: number }>(
          "SELECT count(*)::int AS count FROM audit_entries WHERE subject_id = $1 AND action = 'member.updated'",
          [member],
        );
        return Math.max(0, acknowledged - (row?.count ?? 0));
      },
    };
    return writer;
  };

  const aKey = async (name: string) => {
    const input = { name, scopes: everyScope, createdBy: workspace.admin.id };
    return (await inWorkspace(workspace.id, (db) => createApiKey(db, input, workspace.actor))).text;
  };
  // The creators share keys, so that their requests share transactions.
  const keys: string[] = [];
  for (let index = 0; index < KEYS; index++) keys.push(await aKey(`Creator ${index}`));

  /** Creates articles by the API, each with an Idempotency-Key and again until there is an answer. */
  const creator = async (name: string): Promise<Writer> => {
    const writer: Writer = {
      ...{ name, acknowledged: 0, sent: 0 },
      async write() {
        if (writer.sent === writer.acknowledged) writer.sent++;
        const create = () =>
          send(
            "POST",
            "/api/external/v2/articles",
            { ...json, "x-api-key": keys[writer.sent % KEYS] as string, "idempotency-key": `${name}-${writer.sent}` },
            { title: `${name} ${writer.sent}`, markdown_content: "Created once.", category_id: category.id },
          );
        const answer = await create();
        // Sometimes again, as if the answer had been lost.
        if (answer?.status === 201 && writer.sent % 5 === 0) await create();
        if (answer?.status === 201) writer.acknowledged = writer.sent;
        await sleep(answer ? PAUSE_MS : 10 * PAUSE_MS);
      },
      // Each number once: as many articles as the highest number.
      async stored() {
        const [row] = await stored<{ numbers: number[] }>(
          `SELECT ARRAY[coalesce(max(split_part(title, ' ', 2)::int), 0), count(*)::int, count(DISTINCT title)::int] AS numbers
           FROM articles WHERE workspace_id = $1 AND title LIKE $2`,
          [workspace.id, `${name} %`],
        );
        return row?.numbers ?? [];
      },
    };
    return writer;
  };

  /** Uploads files by the API, each with an Idempotency-Key and again until there is an answer. */
  const uploader = async (name: string): Promise<Writer> => {
    const own = await aKey(name);
    const writer: Writer = {
      ...{ name, acknowledged: 0, sent: 0 },
      async write() {
        if (writer.sent === writer.acknowledged) writer.sent++;
        const number = String(writer.sent);
        const headers = { "content-type": "text/plain", "x-api-key": own, "idempotency-key": `${name}-${number}` };
        const path = `/api/external/v2/uploads?file_name=${name}-${number}.txt`;
        const answer = await send("POST", path, headers, number.repeat(FILE_BYTES));
        if (answer?.status === 201) writer.acknowledged = writer.sent;
        await sleep(SAVE_MS);
      },
      // Each file is stored once. The checks of the whole database compare the bytes on the disk.
      async stored() {
        const [row] = await stored<{ numbers: number[] }>(
          `SELECT ARRAY[coalesce(max(substring(filename from '\\d+')::int), 0), count(*)::int, count(DISTINCT filename)::int] AS numbers
           FROM uploads WHERE workspace_id = $1 AND filename LIKE $2`,
          [workspace.id, `${name}-%`],
        );
        return row?.numbers ?? [];
      },
    };
    return writer;
  };

  /** Writes nothing, but receives a webhook for each article of the creators, at least once. */
  const receiver = async (name: string): Promise<Writer> => {
    const arrived = new Set<string>();
    const take = async (request: IncomingMessage, response: ServerResponse) => {
      const body = await text(request);
      const { "webhook-id": id, "webhook-timestamp": seconds, "webhook-signature": signature } = request.headers;
      // `verify` would refuse the timestamp of a server whose clock jumped.
      const expected = webhook.sign(String(id), new Date(Number(seconds) * 1_000), body);
      if (signature !== expected) throw new Error("The signature is wrong.");
      arrived.add((JSON.parse(body) as { data: { id: string } }).data.id);
      response.writeHead(204).end();
    };
    const server = createServer((request, response) => {
      take(request, response).catch((error: unknown) => {
        strange.push(`A webhook was refused: ${String(error)}`);
        response.writeHead(400).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    server.unref();
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const input = { url, events: ["article.created" as const], description: "" };
    const { secret } = await inWorkspace(workspace.id, (db) =>
      createEndpoint(db, workspace.id, input, workspace.actor),
    );
    const webhook = new Webhook(secret);
    const created = () =>
      stored<{ id: string }>(
        `SELECT subject_id AS id FROM audit_entries WHERE workspace_id = $1 AND action = 'article.created' AND actor_kind = 'api_key'`,
        [workspace.id],
      );
    const writer: Writer = {
      ...{ name, acknowledged: 0, sent: 0 },
      write: () => sleep(100),
      async stored() {
        const all = await created();
        const missing = () => all.filter(({ id }) => !arrived.has(id)).length;
        for (const end = Date.now() + SETTLED_MS; missing() > 0 && Date.now() < end; ) await sleep(200);
        [writer.sent, writer.acknowledged] = [all.length, all.length];
        return [all.length - missing()];
      },
    };
    return writer;
  };

  /** Publishes an article again and again, in this process: what is published is a version. */
  const publisher = async (name: string): Promise<Writer> => {
    const article = await anArticle(workspace, { category, title: `${name} 0`, html: "<p>0</p>" });
    const writer: Writer = {
      ...{ name, acknowledged: 0, sent: 0 },
      async write() {
        writer.sent++;
        const number = String(writer.sent);
        try {
          await inWorkspace(
            workspace.id,
            (db) => db.$executeRaw`
              INSERT INTO article_drafts (id, title, html, text) VALUES (${article.id}::uuid, ${`${name} ${number}`}, ${`<p>${number}</p>`}, ${number})
              ON CONFLICT (workspace_id, id) DO UPDATE SET title = excluded.title, html = excluded.html, text = excluded.text`,
          );
          await publishArticles(workspace.id, [article.id], workspace.actor);
          writer.acknowledged = writer.sent;
        } catch (error) {
          if (!(error instanceof UnavailableError)) throw error;
        }
        await sleep(PAUSE_MS);
      },
      async stored() {
        const [row] = await stored<{ numbers: string[] }>(
          `SELECT ARRAY[split_part(a.title, ' ', 2), split_part(l.title, ' ', 2), l.text, l.markdown, split_part(s.title, ' ', 2),
             (SELECT split_part(v.title, ' ', 2) FROM article_versions v WHERE v.article_id = a.id ORDER BY v.number DESC LIMIT 1)] AS numbers
           FROM articles a LEFT JOIN article_live l ON l.workspace_id = a.workspace_id AND l.id = a.id
           LEFT JOIN search_documents s ON s.workspace_id = a.workspace_id AND s.id = a.id WHERE a.id = $1`,
          [article.id],
        );
        return (row?.numbers ?? []).map((text) => Number(text.trim()));
      },
    };
    return writer;
  };

  /** Has the server's job move articles back and forth. A move is acknowledged once it is stored. */
  const mover = async (name: string): Promise<Writer> => {
    const ids: string[] = [];
    await inWorkspace(
      workspace.id,
      async (db) => {
        for (let index = 0; index < MOVED; index++)
          ids.push((await anArticle(workspace, { category, title: `Moved ${index}` }, db)).id);
      },
      60,
    );
    const actor: Actor = { ...workspace.actor };
    const last = async () => {
      const [newest] = await stored<{ state: string; number: number }>(
        "SELECT state, count(*) OVER ()::int AS number FROM bulk_actions WHERE workspace_id = $1 ORDER BY created_at DESC LIMIT 1",
        [workspace.id],
      );
      return newest ?? { state: "done", number: 0 };
    };
    const writer: Writer = {
      ...{ name, acknowledged: 0, sent: 0 },
      async write() {
        try {
          const { state, number } = await last();
          if (state !== "running") {
            writer.sent++;
            const wanted: BulkRequest = { action: "moved", categoryId: number % 2 === 0 ? other.id : category.id };
            await startBulkAction(workspace.id, wanted, ids, actor, ["articles.write", "articles.publish"]);
            // A failed start stores no bulk action, or one that was not acknowledged.
            writer.acknowledged++;
          }
        } catch (error) {
          if (!(error instanceof UnavailableError)) throw error;
        }
        await sleep(100);
      },
      // Each move has ended, with one entry in the audit log and one item for each article. The last one left no article behind.
      async stored() {
        for (const end = Date.now() + SETTLED_MS; (await last()).state === "running" && Date.now() < end; )
          await sleep(100);
        const [found] = await stored<{ number: number; whole: number; there: number; here: number }>(
          `WITH moves AS (
             SELECT b.*, (SELECT count(*) FROM audit_entries e WHERE e.workspace_id = b.workspace_id AND e.id = b.id) AS entries,
               (SELECT count(DISTINCT subject_id) FROM audit_items i WHERE i.workspace_id = b.workspace_id AND i.entry_id = b.id) AS subjects,
               (SELECT count(*) FROM audit_items i WHERE i.workspace_id = b.workspace_id AND i.entry_id = b.id) AS items
             FROM bulk_actions b WHERE b.workspace_id = $1
           ), newest AS (SELECT (details->>'categoryId')::uuid AS category FROM moves ORDER BY created_at DESC LIMIT 1)
           SELECT (SELECT count(*) FROM moves)::int AS number,
             (SELECT count(*) FROM moves WHERE state = 'done' AND done = $3 AND entries = 1 AND subjects = $3 AND items = $3)::int AS whole,
             count(*) FILTER (WHERE a.category_id = n.category)::int AS there, count(*) FILTER (WHERE a.category_id <> n.category)::int AS here
           FROM newest n CROSS JOIN articles a WHERE a.workspace_id = $1 AND a.id = ANY($2::uuid[])`,
          [workspace.id, ids, MOVED],
        );
        if (!found || found.number === 0) return [0];
        const { number, whole, there, here } = found;
        return [number, whole, there === MOVED && here === 0 ? number : -1];
      },
    };
    return writer;
  };

  const served = [
    ...(await Promise.all(["Ada", "Bob", "Cai", "Dee"].map(editor))),
    ...(await Promise.all(["Eve", "Fay", "Gus", "Hal"].map(program))),
    await uploader("Lea"),
    ...(await Promise.all(Array.from({ length: creators }, (_, index) => creator(`Kim${index}`)))),
  ];
  const all = [...served, await publisher("Ida"), await mover("Jan"), ...(withWebhooks ? [await receiver("Mia")] : [])];
  const crowded = await aMember("crowd");
  const read = async () => {
    await send("GET", "/api/external/v2/articles?page_size=10", key);
    await sleep(10 * PAUSE_MS);
  };
  const loop = async (work: () => Promise<void>) => {
    while (isRunning) await work();
  };
  return {
    all,
    served,
    memberOfCrowd: crowded,
    async run() {
      isRunning = true;
      for (const work of [...all.map((writer) => () => writer.write()), read, read]) {
        const worked = loop(work).catch((error: unknown) => void strange.push(String(error)));
        working.add(worked);
        void worked.finally(() => working.delete(worked));
      }
    },
    async pause() {
      isRunning = false;
      await Promise.all(working);
    },
    waited() {
      const result = { longest, strange, cut };
      [longest, cut, strange] = [0, 0, []];
      return result;
    },
    async crowd(count) {
      const one = () =>
        send("PATCH", `/api/external/v2/team-members/${crowded}`, { ...json, ...key }, { first_name: "Crowd" });
      await Promise.all(Array.from({ length: count }, one));
    },
  };
}
