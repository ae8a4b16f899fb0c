import { randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "pg";
import { createApiKey } from "@/lib/api-keys/api-keys";
import { hashOfKey } from "@/lib/api-keys/key-format";
import { everyScope } from "@/lib/api-keys/scopes";
import type { Actor } from "@/lib/audit/audit";
import { acrossWorkspaces, closeConnections, inWorkspace, readWorkspace } from "@/lib/db";
import { type Env, readEnv } from "@/lib/env";
import { firstAdministrator } from "@/lib/members/members";
import { hashPassword, verifyPassword } from "@/lib/members/passwords";
import { createWorkspace, findWorkspace, type Workspace } from "@/lib/workspaces/workspaces";
import { migrate } from "@/server/migrate";
import { openDatabase } from "@/server/postgres";

// The two workspaces of a first run: the manual, and one with articles at the same URLs, so that a leak between them shows on
// the first day. Running it again adds only what is missing.

/** Kept in DATA_DIR, because a key's text is stored nowhere else. */
interface Access {
  workspace: string;
  adminEmail: string;
  adminPassword: string;
  apiKey: string;
}

const seeder: Actor = { kind: "system", id: null, name: "Setup" };

const workspaces = [
  {
    ...{ subdomain: "demo", name: "Lectern manual", folder: "prisma/manual" },
    // The home page lists the newest articles.
    newest: [
      "first-ten-minutes",
      "use-the-editor",
      "import-a-folder",
      "roles-and-permissions",
      "make-your-first-request",
      "see-what-readers-look-for",
    ],
  },
  { subdomain: "acme", name: "Acme support", folder: "prisma/acme", newest: [] },
];

async function main(): Promise<void> {
  const env = readEnv(process.env);
  refuseForeign(env);
  const database = await openDatabase({ ...env, log: console.log });
  try {
    process.env.DATABASE_URL = database.url;
    process.env.DATABASE_DIRECT_URL = database.directUrl;
    await migrate(database.directUrl, { log: console.log, setting: env.directSetting });
    const file = join(env.dataDir, "quickstart.json");
    const known = await readFile(file, "utf8").then(
      (text) => JSON.parse(text) as { all?: Access[] },
      () => ({ all: [] }),
    );
    const all: Access[] = [];
    for (const wanted of workspaces) {
      all.push(
        await settle(
          wanted,
          known.all?.find(({ workspace }) => workspace === wanted.subdomain),
        ),
      );
    }
    await writeFile(file, `${JSON.stringify({ ...all[0], all }, null, 2)}\n`, { mode: 0o600 });
  } finally {
    await closeConnections();
    await database.release();
  }
}

/** The example workspaces must not appear in a real installation. */
function refuseForeign({ databaseUrl }: Env): void {
  // As the driver reads it: the URL may name another host behind the "?".
  const host = databaseUrl ? new Client({ connectionString: databaseUrl }).host : "localhost";
  if (["localhost", "127.0.0.1", "::1"].includes(host) || host.startsWith("/")) return;
  throw new Error(
    `The quickstart needs a database on this machine, but DATABASE_URL names ${host}. Unset it, or create workspaces there with "npm run kb -- workspace create".`,
  );
}

async function settle({ newest, ...wanted }: (typeof workspaces)[number], known: Access | undefined): Promise<Access> {
  const found = await findWorkspace(wanted.subdomain);
  const workspace =
    found ?? (await createWorkspace({ ...wanted, administrator: administratorOf(wanted.subdomain) }, seeder));
  // The file is written after a whole import. Without it, the last run may have been interrupted.
  if (!found || !known) {
    // A later start does not wait for the Markdown parser.
    const { importArticles } = await import("@/lib/import/run");
    await importArticles({ workspace, path: join(process.cwd(), wanted.folder), actor: seeder });
    const now = Date.now();
    for (const [index, slug] of newest.entries())
      await inWorkspace(workspace.id, (db) =>
        db.article.updateMany({ where: { slug }, data: { publishedAt: new Date(now - index) } }),
      );
  }
  return {
    workspace: wanted.subdomain,
    ...(await passwordFor(workspace, known)),
    apiKey: await keyFor(workspace, known?.apiKey),
  };
}

const administratorOf = (subdomain: string) => ({
  email: `admin@${subdomain}.example`,
  firstName: "Robin",
  lastName: subdomain === "demo" ? "Lectern" : "Acme",
});

async function passwordFor(
  workspace: Workspace,
  known: Access | undefined,
): Promise<{ adminEmail: string; adminPassword: string }> {
  const administrator = await readWorkspace(workspace.id, firstAdministrator);
  if (!administrator)
    throw new Error(
      `The workspace ${workspace.subdomain} has no administrator: add one with "npm run kb -- member create".`,
    );
  const member = await inWorkspace(workspace.id, (db) => db.member.findFirst({ where: { id: administrator.id } }));
  const password = known?.adminPassword ?? "";
  if (member?.passwordHash && (await verifyPassword(password, member.passwordHash))) {
    return { adminEmail: administrator.email, adminPassword: password };
  }
  if (known && member?.passwordHash) {
    return { adminEmail: administrator.email, adminPassword: "(changed since the first start)" };
  }
  const fresh = randomBytes(12).toString("base64url");
  const passwordHash = await hashPassword(fresh);
  await inWorkspace(workspace.id, (db) =>
    db.member.updateMany({ where: { id: administrator.id }, data: { passwordHash } }),
  );
  return { adminEmail: administrator.email, adminPassword: fresh };
}

async function keyFor(workspace: Workspace, known: string | undefined): Promise<string> {
  const working = known
    ? await acrossWorkspaces.query(
        `SELECT 1 FROM api_keys WHERE workspace_id = $1 AND key_hash = $2 AND revoked_at IS NULL
           AND (expires_at IS NULL OR expires_at > now())`,
        [workspace.id, hashOfKey(known)],
      )
    : [];
  if (known && working.length > 0) return known;
  const { text } = await inWorkspace(workspace.id, (db) =>
    createApiKey(db, { name: "Setup", scopes: everyScope }, seeder),
  );
  return text;
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
