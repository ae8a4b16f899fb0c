import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import { chmod, chown, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { expect } from "playwright/test";
import { freePort } from "@/testing/server";
import { aDatabase } from "@/testing/workspace";
import { test } from "./kit";

// Follows the Dockerfile without a container engine: the server and the command line run from the files of the image alone.

const root = join(import.meta.dirname, "..");
const read = (path: string) => fs.readFileSync(join(root, path), "utf8");
const [, build = "", image = ""] = read("Dockerfile")
  .replace(/\\\n/g, "")
  .split(/^FROM .*\n/m);
/** As root, another user runs the files, as in the image. */
const user = process.getuid?.() === 0 ? 65534 : undefined;

/** Links a file or a folder to its place in the image, without what `isLeftOut` names. */
function place(from: string, to: string, isLeftOut: (path: string) => boolean): void {
  if (isLeftOut(from)) return;
  if (fs.statSync(from).isDirectory()) {
    fs.mkdirSync(to, { recursive: true });
    for (const name of fs.readdirSync(from)) place(join(from, name), join(to, name), isLeftOut);
    return;
  }
  try {
    fs.linkSync(fs.realpathSync(from), to);
  } catch {
    // Hard links don't work across disks.
    fs.copyFileSync(from, to);
  }
}

/** Makes the folder that the last stage of the Dockerfile makes. */
function placeImage(folder: string): void {
  const [, deleted = ""] = /rm -rf ([^&]+)/.exec(build) ?? [];
  const leftOut = new Set(
    deleted
      .trim()
      .split(/\s+/)
      .map((path) => join(root, path)),
  );
  const { packages } = JSON.parse(read("package-lock.json")) as { packages: Record<string, { dev?: boolean }> };
  const development = Object.keys(packages).filter((path) => packages[path]?.dev);
  for (const path of [...development, "node_modules/.bin", "node_modules/.cache"]) leftOut.add(join(root, path));
  for (const [, paths = ""] of image.matchAll(/^COPY --from=build (.+)$/gm)) {
    const sources = paths.split(" ").map((path) => path.replace("/srv/lectern/", ""));
    const target = sources.pop() ?? "";
    for (const source of sources) {
      const isInFolder = target === "./" || target.endsWith("/");
      const to = join(folder, target, isInFolder ? basename(source) : "");
      fs.mkdirSync(dirname(to), { recursive: true });
      place(join(root, source), to, (path) => leftOut.has(path));
    }
  }
}

test("the files of the image are enough for the server and the command line", async () => {
  test.setTimeout(180_000);
  const folder = await mkdtemp(join(tmpdir(), "lectern-image-"));
  const dataDir = await mkdtemp(join(tmpdir(), "lectern-image-data-"));
  await chmod(folder, 0o755);
  if (user) await chown(dataDir, user, user);
  placeImage(folder);
  const database = await aDatabase(process.env.DATABASE_URL as string);
  const port = await freePort();
  const env = {
    PATH: process.env.PATH,
    NODE_ENV: "production",
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    PORT: String(port),
    BASE_URL: "https://example.com",
    TRUST_PROXY: "true",
    AUTH_SECRET: process.env.AUTH_SECRET,
  } as const;
  const start = (command: string, args: string[]) =>
    spawn(command === "node" ? process.execPath : command, args, { cwd: folder, env, uid: user, gid: user });
  const run = async (command: string, ...args: string[]) => {
    const child = start(command, args);
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
    return { code: child.exitCode, out, err };
  };
  const commandOf = (instruction: RegExp) => JSON.parse(instruction.exec(image)?.[1] ?? "") as [string, ...string[]];
  const [, script = ""] = /scripts\.kb="(.+)"/.exec(build) ?? [];
  const kb = (...args: string[]) => run("sh", "-c", `${script} "$@"`, "kb", ...args);

  const [program, ...args] = commandOf(/^CMD (.+)$/m);
  const server = start(program, args);
  const log = text(server.stdout);
  const complaints = text(server.stderr);
  try {
    const isHealthy = async () => (await run(...commandOf(/^HEALTHCHECK .* CMD (.+)$/m))).code;
    expect(await isHealthy()).toBe(1);
    const failed = once(server, "exit").then(async () => Promise.reject(new Error(await complaints)));
    failed.catch(() => {});
    await Promise.race([failed, expect.poll(isHealthy, { timeout: 60_000 }).toBe(0)]);

    const email = "ada@example.com";
    const made = await kb("workspace", "create", "--subdomain", "docs", "--name", "Docs", "--admin-email", email);
    expect([made.out, made.code]).toEqual(["https://docs.example.com\n", 0]);
    const imported = await kb("import", "--workspace", "docs", join(root, "prisma/acme"));
    expect(imported.out + imported.err).toMatch(/Read 8 files .* 8 new/);
    const found = await kb("doctor");
    expect(found.out.match(/^problem .*/gm)).toEqual([expect.stringContaining("SMTP_URL is not set")]);

    const get = (host: string, path: string) =>
      fetch(`http://127.0.0.1:${port}${path}`, { headers: { "X-Forwarded-Host": host } });
    for (const path of ["/", "/articles/search", "/admin/sign-in", "/og.png", "/icons/180.png", "/developers"]) {
      expect([path, (await get("docs.example.com", path)).status]).toEqual([path, 200]);
    }
    expect((await get("example.com", "/favicon.ico")).status).toBe(200);
    // From next.config.ts.
    expect((await get("docs.example.com", "/admin/sign-in")).headers.get("x-powered-by")).toBeNull();
  } finally {
    server.kill("SIGTERM");
    if (server.exitCode === null) await once(server, "exit");
    await database.drop();
    await rm(folder, { recursive: true });
    await rm(dataDir, { recursive: true });
  }
  expect([server.exitCode, await complaints]).toEqual([0, ""]);
  expect(await log).not.toMatch(/"level":"(error|fatal)"/);
});
