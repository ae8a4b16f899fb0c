import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "@/testing/server";

const READY_MS = 10_000;

/** A load balancer in front of servers of this machine. */
export interface Balancer {
  port: number;
  stop: () => Promise<void>;
}

/**
 * Starts nginx with the settings in deploy, without TLS. Waits until it forwards requests.
 * @param servers their ports
 */
export async function aBalancer(servers: readonly number[], port?: number): Promise<Balancer> {
  const folder = await mkdtemp(join(tmpdir(), "lectern-nginx-"));
  await chmod(folder, 0o755);
  const redirects = await freePort();
  port ??= await freePort();
  const site = readFileSync(join(import.meta.dirname, "../deploy/nginx.conf"), "utf8")
    .replace(/^ *server 127.*\n/m, (line) => servers.map((at) => line.replace("3000", String(at))).join(""))
    .replace("listen 80;", `listen 127.0.0.1:${redirects};`)
    .replace("listen 443 ssl http2;", `listen 127.0.0.1:${port};`)
    .replace(/^ *ssl_certificate.*\n/gm, "");
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${name};`);
  await writeFile(
    join(folder, "nginx.conf"),
    `daemon off; pid nginx.pid; error_log stderr; events {} http { access_log off; ${paths.join(" ")}\n${site}}\n`,
  );
  const nginx = spawn("nginx", ["-p", folder, "-c", join(folder, "nginx.conf"), "-e", "stderr"], {
    stdio: ["ignore", "ignore", "pipe"],
    // Debian's folder for it.
    env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` },
  });
  let said = "";
  nginx.stderr.on("data", (part: Buffer) => (said += part.toString()));
  const failed = once(nginx, "exit").then(
    () => Promise.reject(new Error(`nginx did not start:\n${said}`)),
    (error: Error) => Promise.reject(new Error(`This test needs nginx, which can't be started: ${error.message}`)),
  );
  const stop = async () => {
    nginx.kill("SIGTERM");
    await failed.catch(() => {});
    await rm(folder, { recursive: true });
  };
  await Promise.race([failed, forwards(port)]).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return { port, stop };
}

async function forwards(port: number): Promise<void> {
  for (const deadline = performance.now() + READY_MS; ; await sleep(50)) {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
    await answer?.arrayBuffer();
    if (answer?.ok) return;
    if (performance.now() > deadline) throw new Error("nginx doesn't forward requests.");
  }
}
