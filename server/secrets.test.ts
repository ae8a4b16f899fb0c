import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { loadSecrets } from "@/server/secrets";

let dataDir: string;
const STRONG = "q1ZsyP3T8uWf0Lr5vKx9NcA7hGdJm2Eb";
const load = (AUTH_SECRET?: string, production = false) => loadSecrets({ dataDir, production, env: { AUTH_SECRET } });

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "secrets-"));
});
afterEach(() => rm(dataDir, { recursive: true }));

test("a secret is generated once, of 256 bits, and readable by its user alone", async () => {
  const { authSecret } = await load();
  expect(Buffer.from(authSecret, "base64url")).toHaveLength(32);
  expect(await load()).toEqual({ authSecret });
  expect((await stat(join(dataDir, "secrets.json"))).mode & 0o777).toBe(0o600);
});

test("processes that start together agree on one secret and leave nothing else", async () => {
  const all = await Promise.all(Array.from({ length: 20 }, () => load()));
  expect(new Set(all.map((secrets) => secrets.authSecret)).size).toBe(1);
  expect(await readdir(dataDir)).toEqual(["secrets.json"]);
});

test("production takes the secret it is given, and generates none", async () => {
  expect(await load(STRONG, true)).toEqual({ authSecret: STRONG });
  expect(await readdir(dataDir)).toEqual([]);
});

test("production refuses to start without a secret, and says how to make one", async () => {
  const remedy = /not set.* openssl rand -base64 32/;
  await expect(load(undefined, true)).rejects.toThrow(remedy);
  await expect(load("", true)).rejects.toThrow(remedy);
  expect(await readdir(dataDir)).toEqual([]);
});

test.each([
  "short",
  "0123456789012345678901234567890",
  "abababababababababababababababababababab",
  "please-change-me-before-you-deploy-12345",
])("the guessable secret %s is refused", async (secret) => {
  await expect(load(secret, true)).rejects.toThrow(/too easy to guess.* openssl rand -base64 32/);
  await expect(load(secret)).rejects.toThrow(/too easy to guess/);
});

test("a damaged file is not replaced behind anyone's back", async () => {
  await writeFile(join(dataDir, "secrets.json"), "{");
  await expect(load()).rejects.toThrow(/secrets\.json is damaged\. Delete it/);
});
