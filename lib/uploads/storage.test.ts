import { createHash, createHmac, randomBytes, randomUUID } from "node:crypto";
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
// @ts-expect-error It has no types.
import S3rver from "s3rver";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { UnavailableError } from "@/lib/errors";
import { localStorage } from "./local";
import { s3Storage } from "./s3";
import { newStorageKey, type UploadStorage } from "./storage";

// Both stores must pass the same tests. The S3 server runs in this process.

let folder: string;
let s3: { run: () => Promise<AddressInfo>; close: () => Promise<void> };
let settings: { endpoint: string; bucket: string; region: string; key: string; secret: string };
const stores: Record<string, () => UploadStorage> = {
  "a folder": () => localStorage(join(folder, "data")),
  "a bucket of S3": () => s3Storage(settings),
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "lectern-uploads-"));
  const directory = join(folder, "s3");
  s3 = new S3rver({ address: "127.0.0.1", port: 0, silent: true, directory, configureBuckets: [{ name: "files" }] });
  const { port } = await s3.run();
  settings = {
    endpoint: `http://127.0.0.1:${port}`,
    bucket: "files",
    region: "us-east-1",
    key: "S3RVER",
    secret: "S3RVER",
  };
});

afterAll(async () => {
  await s3.close();
  await rm(folder, { recursive: true, force: true });
});

async function bytesOf(stream: ReadableStream<Uint8Array> | null): Promise<Buffer | null> {
  return stream && Buffer.from(await new Response(stream).arrayBuffer());
}

async function keysOf(store: UploadStorage, workspaceId?: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of store.list(workspaceId)) keys.push(key);
  return keys.sort();
}

describe.each(Object.entries(stores))("in %s", (_, storeOf) => {
  test("what was put is there, whole and in parts, until it is removed", async () => {
    const store = storeOf();
    const workspaceId = randomUUID();
    const key = newStorageKey(workspaceId);
    const bytes = randomBytes(300_000);
    await store.put(key, bytes);
    expect(await bytesOf(await store.open(key, { start: 0, end: bytes.length - 1 }))).toEqual(bytes);
    expect(await bytesOf(await store.open(key, { start: 10, end: 19 }))).toEqual(bytes.subarray(10, 20));
    await store.remove(key);
    expect(await store.open(key, { start: 0, end: 9 })).toBeNull();
    await store.remove(key);
  });

  test("the files of a workspace are listed, and those of all", async () => {
    const store = storeOf();
    const [one, other] = [randomUUID(), randomUUID()];
    expect(await keysOf(store, one)).toEqual([]);
    const keys = [newStorageKey(one), newStorageKey(one)].sort();
    const foreign = newStorageKey(other);
    for (const key of [...keys, foreign]) await store.put(key, Buffer.from("x"));
    expect(await keysOf(store, one)).toEqual(keys);
    expect(await keysOf(store)).toEqual(expect.arrayContaining([...keys, foreign]));
    for await (const { modifiedAt } of store.list(one)) {
      expect(Math.abs(modifiedAt.getTime() - Date.now())).toBeLessThan(60_000);
    }
  });

  test("all files of a workspace are removed, and no other's", async () => {
    const store = storeOf();
    const [one, other] = [randomUUID(), randomUUID()];
    const [kept, ...gone] = [newStorageKey(other), newStorageKey(one), newStorageKey(one)];
    for (const key of [kept, ...gone]) await store.put(key, Buffer.from("x"));
    await store.removeAll(one);
    expect([await keysOf(store, one), await keysOf(store, other)]).toEqual([[], [kept]]);
    await store.removeAll(one);
    for (const id of ["", "..", "../..", `${one}/..`])
      await expect(store.removeAll(id)).rejects.toThrow("not a workspace");
    expect(await keysOf(store, other)).toEqual([kept]);
  });
});

test("nobody but the server's own user can read the folder, and what is half written is not a file", async () => {
  const store = localStorage(join(folder, "data"));
  const key = newStorageKey(randomUUID());
  await store.put(key, Buffer.from("x"));
  const path = join(folder, "data/uploads", key);
  expect(((await stat(path)).mode & 0o777).toString(8)).toBe("600");
  expect(((await stat(join(folder, "data/uploads"))).mode & 0o777).toString(8)).toBe("700");
  expect(await readdir(dirname(path))).toEqual([key.split("/")[2]]);
});

test.each(["../../etc/passwd", "/etc/passwd", "x", "", `${randomUUID()}/../../x`])("%j is no key", async (key) => {
  const store = localStorage(join(folder, "data"));
  await expect(store.put(key, Buffer.from("x"))).rejects.toThrow("not a storage key");
  expect(await store.open(key, { start: 0, end: 0 })).toBeNull();
  await expect(store.remove(key)).rejects.toThrow("not a storage key");
});

test("where a file cannot be written, nothing is left", async () => {
  const store = localStorage(join(folder, "full"));
  const key = newStorageKey(randomUUID());
  const path = join(folder, "full/uploads", key);
  // A folder is where the file should go.
  await mkdir(path, { recursive: true });
  await writeFile(join(path, "in the way"), "");
  await chmod(path, 0o700);
  await expect(store.put(key, Buffer.from("x"))).rejects.toThrow();
  expect(await readdir(dirname(path))).toEqual([key.split("/")[2]]);
});

describe("a store elsewhere", () => {
  const key = newStorageKey(randomUUID());

  test("that is away, refuses or has no such bucket is unavailable", async () => {
    const away = s3Storage({ ...settings, endpoint: "http://127.0.0.1:9" });
    await expect(away.put(key, Buffer.from("x"))).rejects.toThrow(UnavailableError);
    await expect(away.open(key, { start: 0, end: 0 })).rejects.toThrow(UnavailableError);
    const refused = s3Storage({ ...settings, key: "another" });
    await expect(refused.put(key, Buffer.from("x"))).rejects.toThrow(/storage returned an error.*403/);
    await expect(refused.open(key, { start: 0, end: 0 })).rejects.toThrow(UnavailableError);
    const nowhere = s3Storage({ ...settings, bucket: "nothing" });
    await expect(nowhere.put(key, Buffer.from("x"))).rejects.toThrow(UnavailableError);
  });

  // The one that runs here takes any signature.
  test("is asked with a signature that is right, and never with the secret", async () => {
    const seen: string[] = [];
    const secret = "a secret of forty characters, and no less";
    const server = createServer((request, response) => {
      request.resume().on("end", () => {
        const { authorization = "", ...headers } = request.headers;
        const [, day = "", names = "", signature] =
          /^AWS4-HMAC-SHA256 Credential=S3RVER\/(\d{8})\/us-east-1\/s3\/aws4_request, ?SignedHeaders=([\w;-]+), ?Signature=([0-9a-f]{64})$/.exec(
            authorization,
          ) ?? [];
        const [path = "", query = ""] = (request.url ?? "").split("?");
        const signed = names.split(";").map((name) => `${name}:${String(headers[name])}\n`);
        const payload = String(headers["x-amz-content-sha256"]);
        const canonical = [request.method, path, query, signed.join(""), names, payload].join("\n");
        const scope = `${day}/us-east-1/s3/aws4_request`;
        const digest = createHash("sha256").update(canonical).digest("hex");
        const signing = [day, "us-east-1", "s3", "aws4_request"].reduce<string | Buffer>(
          (last, part) => createHmac("sha256", last).update(part).digest(),
          `AWS4${secret}`,
        );
        const text = ["AWS4-HMAC-SHA256", headers["x-amz-date"], scope, digest].join("\n");
        const right = createHmac("sha256", signing).update(text).digest("hex") === signature;
        seen.push(`${request.method} ${path.split("/")[1]} ${right ? "right" : "wrong"}`);
        if (JSON.stringify(request.headers).includes(secret)) seen.push("the secret");
        response.writeHead(request.method === "DELETE" ? 204 : 200).end(request.method === "GET" ? "x" : undefined);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const store = s3Storage({ ...settings, secret, endpoint });
    await store.put(key, Buffer.from("x"));
    await bytesOf(await store.open(key, { start: 0, end: 0 }));
    await store.remove(key);
    expect(seen).toEqual(["PUT files right", "GET files right", "DELETE files right"]);
    server.closeAllConnections();
    server.close();
  });

  test("that takes a request and says nothing is not waited for", async () => {
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const endpoint = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const store = s3Storage({ ...settings, endpoint }, { answer: 200, sending: 300 });
    await expect(store.open(key, { start: 0, end: 0 })).rejects.toThrow(/no response within 0.2 seconds/);
    await expect(store.put(key, Buffer.from("x"))).rejects.toThrow(/no response within 0.3 seconds/);
    silent.closeAllConnections();
    silent.close();
  });
});
