import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Client } from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { Actor } from "@/lib/audit/audit";
import { mailDelivery } from "@/lib/mail/mail";
import type { Member, MemberChanges } from "@/lib/members/members";
import { jobHandlers } from "@/server/jobs/handlers";
import { startWorker } from "@/server/jobs/worker";
import { type Arrived, aFreePort, anSmtpServer, readMail } from "@/testing/mail";
import { aDatabase, type TestDatabase, type TestWorkspace } from "@/testing/workspace";

// From a change of an address to the two mails that tell of it (contract 34). A database of its own, because a worker
// does the jobs of everybody.

let kit: typeof import("@/testing/workspace");
let wall: typeof import("@/lib/db");
let members: typeof import("@/lib/members/members");
let made: TestDatabase;
let databaseUrl: string;
let owner: Client;
let dataDir: string;
let workspace: TestWorkspace;
let eva: Member;
const said: string[] = [];
const cleanUp: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  made = await aDatabase(process.env.DATABASE_URL ?? "");
  databaseUrl = await made.serverLogin();
  vi.stubEnv("DATABASE_URL", databaseUrl);
  vi.resetModules();
  [kit, wall, members] = await Promise.all([
    import("@/testing/workspace"),
    import("@/lib/db"),
    import("@/lib/members/members"),
  ]);
  owner = await made.connect();
  dataDir = await mkdtemp(join(tmpdir(), "lectern-mail-"));
});

afterAll(async () => {
  await wall.closeConnections();
  await made.drop();
  await rm(dataDir, { recursive: true });
  vi.unstubAllEnvs();
});

beforeEach(async () => {
  workspace = await kit.aWorkspace({ name: "Docs & <Co>" });
  eva = await wall.inWorkspace(workspace.id, (db) =>
    members.createMember(
      db,
      { email: "eva@example.com", firstName: "Eva", lastName: "O'Hara", role: "Editor" },
      workspace.actor,
    ),
  );
});

afterEach(async () => {
  for (const work of cleanUp.splice(0).reverse()) await work();
  await owner.query("DELETE FROM graphile_worker._private_jobs");
  said.length = 0;
});

/** A server's worker, with mail by this address or into files. */
function aWorker(smtpUrl?: string) {
  const log = (line: string) => void said.push(line);
  const baseUrl = "https://kb.example.com";
  const mailFrom = { name: "Lectern", address: "lectern@example.com" };
  const deliver = mailDelivery({ smtpUrl, mailFrom, dataDir, baseUrl }, log);
  const worker = startWorker({ databaseUrl, handlers: jobHandlers({ deliver, baseUrl }), log });
  cleanUp.push(worker.stop);
}

async function anOpenServer(...options: Parameters<typeof anSmtpServer>) {
  const server = await anSmtpServer(...options);
  cleanUp.push(server.stop);
  return server;
}

const update = (changes: MemberChanges, actor: Actor = workspace.actor, id = eva.id) =>
  wall.inWorkspace(workspace.id, (db) => members.updateMember(db, id, changes, actor));

/** As a program changes it, with the workspace's key. */
const program = () => ({ kind: "api_key", id: workspace.key.id, name: "CRM" }) as const;
const refused = (changes: MemberChanges) =>
  expect(update(changes, program())).rejects.toMatchObject({ name: "InvalidError" });

const enqueued = async () => {
  const { rows } = await owner.query<{ payload: { payload: { tell: string } } }>(
    "SELECT payload FROM graphile_worker._private_jobs ORDER BY id",
  );
  return rows.map(({ payload }) => payload);
};
const untilDone = () => expect.poll(enqueued, { timeout: 15_000, interval: 20 }).toEqual([]);
const to = (arrived: Arrived[], address: string) => arrived.find((mail) => mail.to.includes(address));

describe("a changed address", () => {
  test("is told to both addresses, with who changed it and whom to turn to", async () => {
    const server = await anOpenServer();
    aWorker(server.url);
    await update({ email: "eva.new@example.com", firstName: "Ève" }, program());
    await vi.waitFor(() => expect(server.arrived).toHaveLength(2), 10_000);
    const url = `https://${workspace.subdomain}.kb.example.com/`;

    const former = to(server.arrived, "eva@example.com");
    expect(former?.to).toEqual(["eva@example.com"]);
    expect(former?.header("to")).toBe(`"Eva O'Hara" <eva@example.com>`);
    expect(former?.header("subject")).toBe("Your email for Docs & <Co> was changed");
    expect(former?.text).toBe(
      "Hello Eva O'Hara,\n\n" +
        "Your email for Docs & <Co> was changed to eva.new@example.com by an API key. Sign in with the new " +
        "email from now on. You were signed out everywhere.\n\n" +
        `If you didn't expect this, contact an administrator: Ada Admin.\n\nGo to Docs & <Co>:\n${url}\n`,
    );
    expect(former?.html).toContain("Your email for Docs &amp; &lt;Co&gt; was changed to eva.new@example.com");
    expect(former?.html).toContain("Hello Eva O&#39;Hara,");
    expect(former?.html).toContain(`<a href="${url}"`);

    const current = to(server.arrived, "eva.new@example.com");
    expect(current?.to).toEqual(["eva.new@example.com"]);
    expect(current?.header("to")).toBe("Ève O'Hara <eva.new@example.com>");
    expect(current?.header("subject")).toBe("This is now your email for Docs & <Co>");
    expect(current?.text).toBe(
      "Hello Ève O'Hara,\n\n" +
        "Your email for Docs & <Co> was changed to this one by an API key. Sign in with this email from now on. " +
        "Your password stays the same.\n\n" +
        `If you didn't expect this, contact an administrator: Ada Admin.\n\nGo to Docs & <Co>:\n${url}\n`,
    );
    expect(said).toEqual([]);
  });

  test("names who changed it, also for the command line, and never lists the member as the contact", async () => {
    const server = await anOpenServer();
    aWorker(server.url);
    await update(
      { email: "ada.new@example.com" },
      { kind: "command_line", id: null, name: "Command line" },
      workspace.admin.id,
    );
    await vi.waitFor(() => expect(server.arrived).toHaveLength(2), 10_000);
    const text = to(server.arrived, workspace.admin.email)?.text;
    expect(text).toContain("was changed to ada.new@example.com by an operator on the command line.");
    expect(text).toContain("contact the people who run this knowledge base.");
  });

  test("names a member who changed it without their email, which is private", async () => {
    const server = await anOpenServer();
    aWorker(server.url);
    await update({ email: "eva.new@example.com" });
    await vi.waitFor(() => expect(server.arrived).toHaveLength(2), 10_000);
    expect(to(server.arrived, "eva@example.com")?.text).toContain("was changed to eva.new@example.com by Ada Admin.");
    expect(to(server.arrived, "eva.new@example.com")?.text).toContain("was changed to this one by Ada Admin.");
    for (const { text, html } of server.arrived) expect(text + html).not.toContain(workspace.admin.email);
  });

  test("counts as changed when only its case differs", async () => {
    await update({ email: "Eva@example.com" });
    expect(await enqueued()).toHaveLength(2);
  });

  test("waits in the database with what the mails say, and no more", async () => {
    const passwordHash = "$argon2id$secret";
    await wall.inWorkspace(workspace.id, (db) => db.member.updateMany({ data: { passwordHash } }));
    await update({ email: "eva.new@example.com" });
    const change = {
      formerAddress: "eva@example.com",
      newAddress: "eva.new@example.com",
      memberName: "Eva O'Hara",
      actor: { kind: "member", name: "Ada Admin" },
      administrators: ["Ada Admin"],
      passkeys: 0,
    };
    expect(await enqueued()).toEqual([
      { workspace_id: workspace.id, payload: { tell: "former_address", ...change } },
      { workspace_id: workspace.id, payload: { tell: "new_address", ...change } },
    ]);
  });
});

describe("nobody is told", () => {
  test("of an address that stays as it is", async () => {
    await update({ email: "eva@example.com", firstName: "Ève" });
    await update({ email: " eva@example.com " });
    expect(await enqueued()).toEqual([]);
    await update({ email: "eva.new@example.com" });
    expect(await enqueued()).toHaveLength(2);
  });

  test("of a change that is refused, or taken back", async () => {
    await refused({ email: workspace.admin.email });
    await refused({ email: "eva.new@example.com", role: "Nobody" });
    const evil = `<b>"x"\r\nBcc: a@b.c`;
    await refused({ email: "eva.new@example.com", firstName: evil });
    await refused({ email: "eva@example.com\r\nBcc: a@b.c" });
    const undone = wall.inWorkspace(workspace.id, async (db) => {
      await members.updateMember(db, eva.id, { email: "eva.new@example.com" }, workspace.actor);
      throw new Error("The unit fails.");
    });
    await expect(undone).rejects.toThrow("The unit fails.");
    expect(await enqueued()).toEqual([]);
  });

  test("in a workspace that is gone", async () => {
    await update({ email: "eva.new@example.com" });
    await owner.query(
      "UPDATE graphile_worker._private_jobs SET payload = replace(payload::text, $1, gen_random_uuid()::text)::json",
      [workspace.id],
    );
    const server = await anOpenServer();
    aWorker(server.url);
    await untilDone();
    expect([server.arrived, said]).toEqual([[], []]);
  });
});

test("a mail server that is down gets the mails when it is up again, each once", async () => {
  const port = await aFreePort();
  aWorker(`smtp://127.0.0.1:${port}`);
  await update({ email: "eva.new@example.com" });
  await vi.waitFor(() => expect(said).toHaveLength(2), 10_000);
  for (const line of said) {
    expect(line).toMatch(
      /^The job email_changed \d+ failed, try 1: The email to eva(\.new)?@example\.com was not delivered by 127\.0\.0\.1: connect ECONNREFUSED [^ ]+ ESOCKET\. It will be retried in 3 seconds\.$/,
    );
  }
  const server = await anOpenServer(port);
  await untilDone();
  expect(server.arrived.flatMap((mail) => mail.to).sort()).toEqual(["eva.new@example.com", "eva@example.com"]);
});

test("of several servers one sends each mail", async () => {
  const server = await anOpenServer();
  for (let count = 0; count < 3; count++) aWorker(server.url);
  for (let number = 1; number <= 5; number++) await update({ email: `eva${number}@example.com` });
  await untilDone();
  const ids = server.arrived.map((mail) => mail.header("message-id"));
  expect([ids.length, new Set(ids).size]).toEqual([10, 10]);
});

test("without a mail server the two mails are files", async () => {
  aWorker();
  await update({ email: "eva.new@example.com" });
  await untilDone();
  const names = await readdir(join(dataDir, "mail"));
  expect(names.map((name) => name.replace(/^\d{8}T\d{9}Z-\d+_/, "")).sort()).toEqual([
    "eva.new@example.com.eml",
    "eva@example.com.eml",
  ]);
  const { header, text } = readMail(await readFile(join(dataDir, "mail", names[0] ?? "")));
  expect([header("subject"), text]).toEqual([
    expect.stringContaining("Docs & <Co>"),
    expect.stringContaining("Ada Admin"),
  ]);
  expect(said).toHaveLength(2);
});
