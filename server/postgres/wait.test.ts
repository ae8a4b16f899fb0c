import { once } from "node:events";
import { connect, createServer } from "node:net";
import { TLSSocket } from "node:tls";
import getTLSOptions from "smtp-server/lib/tls-options.js";
import { expect, inject, onTestFinished, test } from "vitest";
import { waitForDatabase } from "@/server/postgres/wait";
import { aPooler } from "@/testing/pooler";

const adminUrl = inject("adminUrl");

async function closedPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}

/** A server that answers whether it speaks TLS, with a certificate that is nobody's, and then only listens. */
async function aServer({ hasTls }: { hasTls: boolean }): Promise<{ where: string; heard: string[] }> {
  const heard: string[] = [];
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => {
      socket.write(hasTls ? "S" : "N");
      if (!hasTls) return;
      const secure = new TLSSocket(socket, { ...getTLSOptions(), isServer: true });
      secure
        .on("error", () => {})
        .once("data", (data) => {
          heard.push(String(data));
          secure.destroy();
        });
    });
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  return { where: `127.0.0.1:${(server.address() as { port: number }).port}`, heard };
}

test("a certificate that is not trusted is refused before a name or password is sent", async () => {
  const { where, heard } = await aServer({ hasTls: true });
  await expect(waitForDatabase(`postgresql://kb:hush@${where}/kb?sslmode=verify-full`, { waitMs: 0 })).rejects.toThrow(
    /^The certificate of the database at [\d.:]+ is not trusted \([A-Z_]+\)\. In DATABASE_URL, use /,
  );
  expect(heard).toEqual([]);
});

test("sslmode=require sends the name encrypted, without a check of the certificate, and never unencrypted", async () => {
  const { where, heard } = await aServer({ hasTls: true });
  const url = (host: string) => `postgresql://kb:hush@${host}/kb?sslmode=require&uselibpqcompat=true`;
  await expect(waitForDatabase(url(where), { waitMs: 0 })).rejects.toThrow("doesn't respond");
  expect(heard).toEqual([expect.stringContaining("user\0kb\0")]);
  const plain = await aServer({ hasTls: false });
  await expect(waitForDatabase(url(plain.where), { waitMs: 0 })).rejects.toThrow(
    `The database at ${plain.where} doesn't accept TLS. Turn it on there, or remove sslmode from DATABASE_URL.`,
  );
});

test("a server that lets us in is there", async () => {
  expect(await waitForDatabase(adminUrl, { waitMs: 0 })).toBeUndefined();
});

test("one that does not answer is named by host and port, without the password", async () => {
  const port = await closedPort();
  await expect(waitForDatabase(`postgresql://kb:hush@127.0.0.1:${port}/kb`, { waitMs: 300 })).rejects.toThrow(
    new Error(
      `The database at 127.0.0.1:${port} doesn't respond (ECONNREFUSED). Start it, or check host and port in DATABASE_URL.`,
    ),
  );
});

test("one that comes up meanwhile is waited for", async () => {
  const url = new URL(adminUrl);
  const port = await closedPort();
  const target = Number(url.port || 5432);
  const waiting = waitForDatabase(Object.assign(new URL(adminUrl), { port: String(port) }).href, { waitMs: 10_000 });
  const proxy = createServer((socket) => socket.pipe(connect(target, url.hostname)).pipe(socket));
  proxy.listen(port, "127.0.0.1");
  expect(await waiting).toBeUndefined();
  proxy.close();
});

test("a pooler in transaction mode is refused where a session is needed, and one in session mode is not", async () => {
  const poolers = { transaction: await aPooler(adminUrl), session: await aPooler(adminUrl, { mode: "session" }) };
  onTestFinished(async () => {
    for (const { stop } of Object.values(poolers)) await stop();
  });
  const setting = "DATABASE_DIRECT_URL";
  for (const { url } of Object.values(poolers)) expect(await waitForDatabase(url, { waitMs: 0 })).toBeUndefined();
  for (const url of [adminUrl, poolers.session.url])
    expect(await waitForDatabase(url, { waitMs: 0, needsSession: true })).toBeUndefined();
  const { url } = poolers.transaction;
  await expect(waitForDatabase(url, { setting, needsSession: true })).rejects.toThrow(
    `DATABASE_DIRECT_URL is the URL of a connection pooler that doesn't keep sessions or pass on notifications, at ${new URL(url).host}. Migrations and background jobs don't work through it. Set DATABASE_DIRECT_URL to the URL of PostgreSQL itself.`,
  );
});

test("what a pooler says is repeated", async () => {
  const pooler = await aPooler(adminUrl);
  onTestFinished(pooler.stop);
  const unknown = Object.assign(new URL(pooler.url), { username: "nobody_here" });
  await expect(waitForDatabase(unknown.href, { waitMs: 0 })).rejects.toThrow(
    /doesn't respond \((?!08)[^)]*\w+ \w+[^)]*\)\. Check the pooler's log, and the user, password, and database name in DATABASE_URL\.$/,
  );
});

test("a missing database is reported immediately", async () => {
  const url = new URL(adminUrl);
  url.pathname = "/no_such_database";
  const start = performance.now();
  await expect(waitForDatabase(url.href, { waitMs: 10_000 })).rejects.toThrow(
    /refused the connection: database "no_such_database" does not exist\. Check the user, password, and name in DATABASE_URL\.$/,
  );
  expect(performance.now() - start).toBeLessThan(2_000);
});

test.each(["", "localhost:5432/kb", "mysql://kb@localhost/kb", "postgresql://kb:half/price@localhost/kb"])(
  "%j is no address of a PostgreSQL",
  async (url) => {
    await expect(waitForDatabase(url)).rejects.toThrow(
      /^DATABASE_URL is not the URL of a PostgreSQL database\. Write it as/,
    );
  },
);
