import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { freePort } from "@/testing/server";

const READY_MS = 10_000;

/** A connection pooler. */
export interface Pooler {
  /** The URL of the database through the pooler. */
  url: string;
  stop: () => Promise<void>;
}

/**
 * Starts PgBouncer in front of a database, with the settings in deploy.
 * @param databaseUrl with the login to use
 * @param sessions how many sessions of PostgreSQL all clients share
 */
export async function aPooler(
  databaseUrl: string,
  { mode = "transaction", sessions = 2 }: { mode?: "transaction" | "session"; sessions?: number } = {},
): Promise<Pooler> {
  const isRoot = process.getuid?.() === 0;
  const folder = await mkdtemp(join(isRoot ? "/tmp" : tmpdir(), "lectern-pooler-"));
  await chmod(folder, 0o755);
  const { hostname, port, username, password, pathname } = new URL(databaseUrl);
  const ownPort = String(await freePort());
  const [users, settings] = [join(folder, "users.txt"), join(folder, "pgbouncer.ini")];
  await writeFile(users, `"${decodeURIComponent(username)}" "${decodeURIComponent(password)}"\n`);
  const installed = await readFile(join(import.meta.dirname, "../deploy/pgbouncer.ini"), "utf8");
  await writeFile(
    settings,
    installed
      .replace(/^lectern = .*/m, `${pathname.slice(1)} = host=${hostname} port=${port || "5432"}`)
      .replace(/^(listen_port =) .*/m, `$1 ${ownPort}\nunix_socket_dir =`)
      .replace(/^(auth_file =) .*/m, `$1 ${users}`)
      .replace(/^(pool_mode =) .*/m, `$1 ${mode}`)
      .replace(/^(default_pool_size =) .*/m, `$1 ${sessions}`),
  );
  // It refuses to run as root.
  const child = spawn("pgbouncer", [...(isRoot ? ["-u", "nobody"] : []), settings], {
    stdio: ["ignore", "ignore", "pipe"],
    // Debian's folder for it.
    env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` },
  });
  let said = "";
  child.stderr.on("data", (part: Buffer) => (said += part.toString()));
  const url = Object.assign(new URL(databaseUrl), { hostname: "127.0.0.1", port: ownPort }).href;
  const stop = async () => {
    child.kill("SIGKILL");
    await failed.catch(() => {});
    await rm(folder, { recursive: true });
  };
  const failed = once(child, "exit").then(
    () => Promise.reject(new Error(`PgBouncer did not start:\n${said}`)),
    (error: Error) => Promise.reject(new Error(`This test needs PgBouncer, which can't be started: ${error.message}`)),
  );
  await Promise.race([failed, answers(url)]).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return { url, stop };
}

async function answers(url: string): Promise<void> {
  for (const deadline = performance.now() + READY_MS; ; await sleep(50)) {
    const client = new Client({ connectionString: url, connectionTimeoutMillis: READY_MS });
    client.on("error", () => {});
    try {
      return void (await client.connect());
    } catch (error) {
      if (performance.now() > deadline) throw error;
    } finally {
      await client.end().catch(() => {});
    }
  }
}
