import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import { z } from "zod";
import { DraftInput } from "@/lib/articles/article-text";
import { preparedDraft } from "@/lib/articles/prepare-draft";
import { saveDraft } from "@/lib/articles/save-draft";
import { acrossWorkspaces, inWorkspace } from "@/lib/db";
import { readEnv } from "@/lib/env";
import { UnavailableError } from "@/lib/errors";
import { siteOfHost } from "@/lib/http/host";
import { contentVersionOf } from "@/lib/workspaces/workspaces";
import { frontDoor } from "@/server/front-door";
import { jobHandlers } from "@/server/jobs/handlers";
import { startWorker } from "@/server/jobs/worker";
import { migrate } from "@/server/migrate";
import { openDatabase } from "@/server/postgres";

// server.ts without Next, so that a test can kill a server without a build: the same front door, API, jobs and database. Instead
// of pages it has one route, which saves drafts as app/api/drafts does, for anyone who asks.

const Save = z.object({ writer: z.guid(), revision: z.int(), text: DraftInput });

const settings = readEnv(process.env);
const database = await openDatabase(settings);
await migrate(database.url);
process.env.DATABASE_URL = database.url;

async function save(request: IncomingMessage): Promise<[number, object]> {
  const site = siteOfHost(request.headers.host ?? "", settings.baseUrl);
  const workspace = site.kind === "subdomain" ? await contentVersionOf(site.subdomain) : null;
  if (!workspace) return [404, {}];
  const { writer, revision, text } = Save.parse(await json(request));
  const id = request.url?.split("/").at(-1) ?? "";
  const draft = await preparedDraft(workspace.workspaceId, text);
  const saved = await inWorkspace(workspace.workspaceId, (db) =>
    saveDraft(db, id, revision, draft, { kind: "member", id: writer }),
  );
  return saved.conflict ? [409, { now: saved.conflict }] : [200, saved];
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [status, body] = await save(request).catch((error: unknown): [number, object] => [
    error instanceof UnavailableError ? 503 : 500,
    { error: String(error) },
  ]);
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
}

const server = createServer(
  frontDoor(
    { ...settings, nodeEnv: "production" },
    answer,
    async () => {
      await acrossWorkspaces.query("SELECT 1");
      return null;
    },
    { main: "/_scripts/main.js", answer: () => null },
  ),
);
startWorker({
  databaseUrl: database.url,
  handlers: jobHandlers({ deliver: async () => {}, baseUrl: settings.baseUrl }),
  log: () => {},
  beatMs: 500,
});
server.listen(settings.port, settings.host);
process.once("SIGTERM", () => void database.release().finally(() => process.exit()));
