import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, request } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { parseEnv } from "node:util";
import { Client } from "pg";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { readEnv } from "@/lib/env";
import { migrate } from "@/server/migrate";
import { aBalancer } from "@/testing/balancer";
import { aDatabase } from "@/testing/workspace";

// The files that operators install Lectern with. e2e/image.spec.ts runs the server from the files of the image.

const read = (path: string) => readFileSync(join(import.meta.dirname, path), "utf8");
const lines = (path: string) =>
  read(path)
    .split("\n")
    .filter((line) => line && !line.startsWith("#"));

const compose = parse(read("compose.yaml")) as {
  services: Record<"lectern" | "database", { volumes: string[]; environment: Record<string, string>; image: string }>;
};

test.each([
  ["deploy/lectern.service", "prisma/manual/run/install/production.md"],
  ["deploy/server-login.sql", "prisma/manual/run/install/own-postgresql.md"],
  ["deploy/nginx.conf", "prisma/manual/run/settings/addresses-and-proxies.md"],
  ["deploy/Caddyfile", "prisma/manual/run/settings/addresses-and-proxies.md"],
])("the manual shows %s as it is", (file, page) => {
  expect(read(page)).toContain(`\`${file}\``);
  expect(read(page)).toContain(`\`\`\`text\n${read(file)}\`\`\`\n`);
});

test("the image runs a version of Node that Lectern supports, the same in each stage", () => {
  const { engines } = JSON.parse(read("package.json")) as { engines: { node: string } };
  const stages = [...read("Dockerfile").matchAll(/^FROM node:(\d+)-bookworm-slim/gm)].map(([, major]) => Number(major));
  expect(stages).toHaveLength(2);
  expect(new Set(stages).size).toBe(1);
  expect(stages[0]).toBeGreaterThanOrEqual(Number(/\d+/.exec(engines.node)?.[0]));
});

test("an image contains only files of the repository, no data or secrets", () => {
  const plain = (patterns: string[]) =>
    patterns.map((pattern) => pattern.replace(/^\*\*\/|^\/?packages\/\*\/|^\/|\/$/g, "").replace(/\/$/, ""));
  const kept = new Set(plain(lines(".dockerignore")));
  const names = plain(lines(".gitignore")).map((name) => (name === ".env" ? ".env*" : name));
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((name) => !kept.has(name))).toEqual([]);
});

test(".env.example is complete once its secrets are filled in", () => {
  const settings = Object.keys(compose.services.lectern.environment);
  expect(settings).toEqual(["DATABASE_URL"]);
  const everything = read(".env.example").replace(/^# (?=[A-Z\d_]+=)/gm, "");
  for (const example of [read(".env.example"), everything]) {
    const { DATABASE_PASSWORD, ...env } = parseEnv(example.replace(/=$/gm, "=4f1c9be2aa77d0c3"));
    const DATABASE_URL = compose.services.lectern.environment.DATABASE_URL?.replace(/\$\{.*\}/, `${DATABASE_PASSWORD}`);
    expect(DATABASE_URL).toBe("postgresql://lectern:4f1c9be2aa77d0c3@database:5432/lectern");
    const { trustProxy, backups, baseUrl } = readEnv({ ...env, DATABASE_URL });
    expect([trustProxy, baseUrl]).toEqual([true, "https://example.com"]);
    expect(backups).toBeDefined();
  }
  // A misspelled name would be ignored.
  const names = [...everything.matchAll(/^([A-Z\d_]+)=/gm)].map(([, name]) => name);
  const rows = read("README.md")
    .split("\n")
    .filter((line) => line.startsWith("| `"));
  const known = rows.flatMap((row) => [...(row.split("|")[1] ?? "").matchAll(/`(\w+)`/g)].map(([, name]) => name));
  expect(names.filter((name) => !known.includes(name))).toEqual(["DATABASE_PASSWORD"]);
});

test("the containers keep what must survive in volumes, and the server can write to its own", () => {
  const folders = (service: "lectern" | "database") =>
    compose.services[service].volumes
      .filter((volume) => !volume.startsWith("./"))
      .map((volume) => volume.split(":")[1]);
  const [, writable] = /^RUN install -d -o node -g node -m 700 (.+)$/m.exec(read("Dockerfile")) ?? [];
  expect(folders("lectern")).toEqual(writable?.split(" "));
  // Since version 18, the image keeps each major version in a folder below this one.
  expect(compose.services.database.image).toMatch(/^postgres:18-/);
  expect(folders("database")).toEqual(["/var/lib/postgresql"]);
});

test("the database of the containers is prepared as the manual says", () => {
  const statements = (sql: string) =>
    sql.match(/^CREATE (ROLE|DATABASE) lectern .*$/gm)?.map((line) => line.replace(/'choose one'|:'password'/, "?"));
  const ours = statements(read("deploy/database.sql"));
  expect(ours).toHaveLength(2);
  expect(ours).toEqual(statements(read("prisma/manual/run/install/own-postgresql.md")));
});

test("deploy/server-login.sql makes a login that is enough for a server, however often it runs", async ({
  onTestFinished,
}) => {
  const database = await aDatabase(String(process.env.DATABASE_URL));
  const name = `server_${randomBytes(6).toString("hex")}`;
  const admin = await database.connect();
  onTestFinished(async () => {
    await database.drop();
    await run(String(process.env.DATABASE_URL), `DROP ROLE ${name}`);
  });
  const url = new URL(database.url);
  const script = read("deploy/server-login.sql")
    .replace(/^\\getenv .*$/m, "")
    .replace(":'password'", "'four quiet words'")
    .replaceAll("DATABASE lectern", `DATABASE ${url.pathname.slice(1)}`)
    .replaceAll("lectern_server", name);
  for (let times = 0; times < 2; times++) {
    for (const [, sql = "", runs] of script.matchAll(/^([A-Z].*?)(;| \\gexec)$/gm)) {
      const { rows } = await admin.query<unknown[]>({ text: sql, rowMode: "array" });
      if (runs !== ";") for (const [made] of rows) await admin.query(String(made));
    }
  }
  await migrate(database.url);
  const login = Object.assign(url, { username: name, password: "four quiet words" }).href;
  expect(await migrate(login)).toEqual([]);
  expect(await run(login, "SELECT has_database_privilege('public', current_database(), 'CONNECT') AS open")).toEqual([
    { open: false },
  ]);
});

test("with two logins, only the container that migrates gets the owner's password", () => {
  const { services } = parse(read("deploy/two-logins.yaml")) as {
    services: Record<string, { environment: Record<string, string>; volumes?: string[] }>;
  };
  expect(services.migrate?.environment.DATABASE_URL).toBe(
    compose.services.lectern.environment.DATABASE_URL?.replace(/:\?[^}]*/, ""),
  );
  const { DATABASE_URL, ...hidden } = services.lectern?.environment ?? {};
  expect(DATABASE_URL).toMatch(
    /^postgresql:\/\/lectern_server:\$\{DATABASE_SERVER_PASSWORD:\?.*\}@database:5432\/lectern$/,
  );
  // They are in .env, which the container reads.
  expect(hidden).toEqual({ DATABASE_PASSWORD: "", DATABASE_SERVER_PASSWORD: "" });
  for (const volume of services.database?.volumes ?? [])
    expect(readFileSync(join(import.meta.dirname, volume.split(":")[0] ?? ""), "utf8")).not.toBe("");
});

async function run(url: string, sql: string): Promise<object[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<object>(sql).finally(() => client.end());
  return rows;
}

function ask(port: number, headers: Record<string, string>, body?: Buffer) {
  return new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, method: body ? "POST" : "GET", headers, agent: false });
    sent.once("error", reject);
    sent.once("response", (response) => {
      text(response).then((answer) => resolve({ status: response.statusCode, body: answer }), reject);
    });
    sent.end(body);
  });
}

test("nginx passes the host and the client's address on, and bodies as large as any upload", async () => {
  let seen: IncomingHttpHeaders = {};
  const upstream = createServer((incoming, response) => {
    seen = incoming.headers;
    let bytes = 0;
    incoming.on("data", (part: Buffer) => (bytes += part.length));
    incoming.on("end", () => response.end(String(bytes)));
  }).listen(0, "127.0.0.1");
  await once(upstream, "listening");
  const { port, stop } = await aBalancer([(upstream.address() as AddressInfo).port]);
  try {
    const claims = { "X-Forwarded-For": "203.0.113.7", "X-Forwarded-Host": "other.example.com" };
    await ask(port, { Host: "docs.example.com:8443", ...claims });
    expect(seen).toMatchObject({ host: "docs.example.com:8443", "x-forwarded-for": "127.0.0.1" });
    expect(seen).not.toHaveProperty("x-forwarded-host");

    const { importBytes, uploads } = readEnv({});
    const largest = Math.max(importBytes, uploads.imageBytes, uploads.attachmentBytes);
    const sent = await ask(port, { Host: "docs.example.com" }, Buffer.alloc(largest));
    expect(sent).toEqual({ status: 200, body: String(largest) });
  } finally {
    await stop();
    upstream.close();
    upstream.closeAllConnections();
  }
});

test("Caddy accepts bodies as large as nginx does", () => {
  const [, caddy] = /max_size (\d+)MB/.exec(read("deploy/Caddyfile")) ?? [];
  const [, nginx] = /client_max_body_size (\d+)m;/.exec(read("deploy/nginx.conf")) ?? [];
  expect([caddy, nginx]).toEqual(["210", "210"]);
});
