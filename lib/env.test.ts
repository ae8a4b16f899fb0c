import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { readEnv } from "./env";
import { limitSettings } from "./limits";

test("without any setting there are working defaults, and an empty variable counts as none", () => {
  const defaults = {
    nodeEnv: "development",
    port: 3000,
    host: undefined,
    baseUrl: "http://localhost:3000",
    dataDir: resolve(".data"),
    databaseUrl: undefined,
    directSetting: "DATABASE_URL",
    databasePool: 10,
    processes: 1,
    smtpUrl: undefined,
    mailFrom: undefined,
    uploads: { imageBytes: 10_000_000, attachmentBytes: 50_000_000, quotaBytes: 5_000_000_000 },
    importBytes: 200_000_000,
    backups: undefined,
    aws: { endpoint: undefined, region: "us-east-1", key: undefined, secret: undefined },
    s3: undefined,
    embeddings: undefined,
    rateLimits: {
      RATE_LIMIT_KEY: 600,
      RATE_LIMIT_PAGES: 600,
      RATE_LIMIT_SEARCH: 120,
      RATE_LIMIT_WRITE: 120,
      RATE_LIMIT_FAILED: 30,
      RATE_LIMIT_TYPING: 240,
      RATE_LIMIT_FEEDBACK: 30,
      RATE_LIMIT_PICTURES: 60,
      RATE_LIMIT_WORKSPACES: 10,
      RATE_LIMIT_UPLOADS: 60,
      RATE_LIMIT_INVITATIONS: 2_000,
    },
    workspaceCreation: true,
    quickstart: false,
    securityContact: undefined,
    logLevel: "info",
    slowQueryMs: 200,
    metrics: undefined,
    authSecret: undefined,
    trustProxy: false,
    jobs: true,
    sessionIdleDays: 14,
  };
  expect(readEnv({})).toEqual(defaults);
  expect(readEnv({ PORT: "", BASE_URL: "", DATABASE_URL: "", TRUST_PROXY: "" })).toEqual(defaults);
});

test("several processes serve the port in production alone, and not in a quickstart", () => {
  const processes = (WORKERS: string, more = {}) => readEnv({ NODE_ENV: "production", WORKERS, ...more }).processes;
  expect(processes("3")).toBe(3);
  expect(processes("auto")).toBe(availableParallelism());
  expect(processes("3", { QUICKSTART: "1" })).toBe(1);
  expect(processes("3", { NODE_ENV: "development" })).toBe(1);
  for (const text of ["0", "65", "many", "1.5"])
    expect(() => processes(text), text).toThrow(`WORKERS is "${text}". Set a whole number from 1 to 64, or auto`);
});

test("reports of vulnerabilities go to an email or a page", () => {
  expect(readEnv({ SECURITY_CONTACT: "security@example.com" }).securityContact).toBe("mailto:security@example.com");
  expect(readEnv({ SECURITY_CONTACT: "https://example.com/a" }).securityContact).toBe("https://example.com/a");
  for (const text of ["nobody", "http://example.com", "https://", "a@b.example\nExpires: never"])
    expect(() => readEnv({ SECURITY_CONTACT: text }), text).toThrow("SECURITY_CONTACT must be an email or a URL");
});

test("the base address follows the port, and loses a slash at its end", () => {
  expect(readEnv({ PORT: "4000" }).baseUrl).toBe("http://localhost:4000");
  expect(readEnv({ BASE_URL: "https://example.com/" }).baseUrl).toBe("https://example.com");
});

test("files are kept in S3 when all of it is set, and some of it is refused", () => {
  const all = { S3_ENDPOINT: "https://s3.example.com", S3_BUCKET: "files", S3_KEY: "k", S3_SECRET: "s" };
  const s3 = { endpoint: "https://s3.example.com", bucket: "files", region: "us-east-1", key: "k", secret: "s" };
  expect(readEnv(all).s3).toEqual(s3);
  expect(readEnv({ ...all, S3_REGION: "auto" }).s3?.region).toBe("auto");
  expect(() => readEnv({ S3_ENDPOINT: "https://s3.example.com", S3_KEY: "k" })).toThrow(
    /^S3_BUCKET, S3_SECRET not set, but other S3 settings are. Set all of .*, or none of them to keep files in DATA_DIR/,
  );
  expect(() => readEnv({ ...all, S3_BUCKET: "../x" })).toThrow(/^S3_BUCKET is not a valid bucket name. Use 3 to 63/);
  expect(() => readEnv({ UPLOAD_IMAGE_MB: "0" })).toThrow(/^UPLOAD_IMAGE_MB is "0". Set a whole number/);
});

test("backups go to a folder, or to a bucket with credentials", () => {
  expect(readEnv({ BACKUP_TO: "backups" }).backups).toEqual({ to: resolve("backups"), hours: 24, kept: 14 });
  const bucket = { BACKUP_TO: "s3://my-backups/kb", AWS_ACCESS_KEY_ID: "k", AWS_SECRET_ACCESS_KEY: "s" };
  expect(readEnv(bucket).backups?.to).toEqual({ name: "my-backups", path: "kb" });
  const endpoints = { AWS_ENDPOINT_URL: "https://a.example.com", AWS_ENDPOINT_URL_S3: "https://s3.example.com" };
  expect(readEnv({ ...bucket, ...endpoints, AWS_REGION: "auto" }).aws).toEqual({
    ...{ endpoint: "https://s3.example.com", region: "auto", key: "k", secret: "s" },
  });
  expect(() => readEnv({ ...bucket, AWS_ACCESS_KEY_ID: "" })).toThrow(
    /^BACKUP_TO is a bucket, which needs credentials/,
  );
  for (const BACKUP_TO of ["s3://My_Bucket", "s3://my-backups/../x", "gs://my-backups", "file:///srv/backups"])
    expect(() => readEnv({ ...bucket, BACKUP_TO })).toThrow(/^BACKUP_TO is not a valid bucket URL. Use one like s3:/);
  for (const name of ["AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_S3"])
    expect(() => readEnv({ [name]: "https://key:secret@s3.example.com" })).toThrow(
      `${name} contains a user or password. Remove them`,
    );
  expect(() => readEnv({ ...bucket, AWS_SESSION_TOKEN: "t" })).toThrow(/^AWS_SESSION_TOKEN is set, but temporary/);
  expect(readEnv({ AWS_SESSION_TOKEN: "t", BACKUP_TO: "backups" }).backups?.to).toBe(resolve("backups"));
});

test("vectors need a server and a model", () => {
  const both = { AI_BASE_URL: "http://127.0.0.1:11434/v1/", AI_EMBEDDING_MODEL: "small" };
  const url = "http://127.0.0.1:11434/v1/embeddings";
  expect(readEnv(both).embeddings).toEqual({ url, model: "small", key: undefined });
  expect(readEnv({ ...both, AI_API_KEY: "k" }).embeddings).toEqual({ url, model: "small", key: "k" });
  for (const one of [{ AI_BASE_URL: both.AI_BASE_URL }, { AI_EMBEDDING_MODEL: "small" }])
    expect(() => readEnv(one)).toThrow(/^AI_EMBEDDING_MODEL and AI_BASE_URL must be set together. Set both/);
  expect(() => readEnv({ ...both, AI_BASE_URL: "ai.example.com" })).toThrow(/^AI_BASE_URL is not a valid URL.*\/v1/);
});

test("every setting that cannot be used is named with what to do", () => {
  const refuse = (variables: Record<string, string>) => () => readEnv(variables);
  expect(refuse({ PORT: "http" })).toThrow(/^PORT is "http". Set a whole number from 1 to 65535/);
  expect(refuse({ PORT: "70000" })).toThrow(/^PORT is "70000"/);
  expect(refuse({ BASE_URL: "example.com" })).toThrow(/^BASE_URL is not a valid URL. Set one like/);
  for (const base of [
    "https://example.com/kb",
    "http://127.0.0.1:3000",
    "http://[::1]:3000",
    "https://a@example.com",
  ]) {
    expect(refuse({ BASE_URL: base })).toThrow(/^BASE_URL must be a scheme, a domain, and a port/);
  }
  expect(refuse({ DATABASE_URL: "mysql://x" })).toThrow(/^DATABASE_URL is not a valid URL.*postgresql:\/\//);
  const direct = "postgresql://lectern@db/lectern";
  expect(refuse({ DATABASE_DIRECT_URL: direct })).toThrow(
    /^DATABASE_DIRECT_URL is set, but DATABASE_URL is not\. Set /,
  );
  expect(readEnv({ DATABASE_URL: direct }).directUrl).toBe(direct);
  expect(refuse({ DATABASE_REPLICA_URL: direct })).toThrow(
    /^DATABASE_REPLICA_URL is set, but DATABASE_URL is not\. Set /,
  );
  expect(refuse({ DATABASE_URL: direct, DATABASE_REPLICA_URL: "replica" })).toThrow(
    /^DATABASE_REPLICA_URL is not a valid URL\. Set one like postgresql:/,
  );
  expect(refuse({ WORKSPACE_CREATION: "no" })).toThrow("WORKSPACE_CREATION must be on or off.");
  expect(refuse({ JOBS: "no" })).toThrow("JOBS must be on or off.");
  expect([readEnv({}).jobs, readEnv({ JOBS: "off" }).jobs]).toEqual([true, false]);
  expect(readEnv({ WORKSPACE_CREATION: "off" }).workspaceCreation).toBe(false);
  const production = { NODE_ENV: "production" };
  expect(readEnv(production).workspaceCreation).toBe(false);
  expect(readEnv({ ...production, WORKSPACE_CREATION: "on" }).workspaceCreation).toBe(true);
  expect(readEnv({ ...production, QUICKSTART: "1" }).workspaceCreation).toBe(true);
  expect(refuse({ TRUST_PROXY: "perhaps" })).toThrow("TRUST_PROXY must be true or false.");
  expect(refuse({ LOG_LEVEL: "loud" })).toThrow(/^LOG_LEVEL must be one of silent, .*\.$/);
  expect(refuse({ PORT: "4000", METRICS_PORT: "4000" })).toThrow(/^METRICS_PORT is the same as PORT.* Choose another/);
  expect(refuse({ PORT: "x", DATABASE_POOL: "3" })).toThrow(/PORT[^]*\nDATABASE_POOL/);
  expect(refuse({ SMTP_URL: "mail.example.com" })).toThrow(/^SMTP_URL is not a valid URL.*smtps:\/\//);
});

test("metrics have a separate port, which only listens on this machine by default", () => {
  expect(readEnv({ METRICS_PORT: "9464" }).metrics).toEqual({ port: 9464, host: "127.0.0.1" });
  expect(readEnv({ METRICS_PORT: "9464", METRICS_HOST: "10.0.0.5" }).metrics).toEqual({ port: 9464, host: "10.0.0.5" });
});

test("mail needs a server that can be reached, and a sender that stands in a header as it is", () => {
  const from = (MAIL_FROM: string) => readEnv({ MAIL_FROM }).mailFrom;
  expect(from("kb@example.com")).toEqual({ name: "", address: "kb@example.com" });
  expect(from('"Docs & Co." <kb+x@mail.example.com>')).toEqual({
    name: "Docs & Co.",
    address: "kb+x@mail.example.com",
  });
  expect(from("Lectern <noreply@localhost>")).toEqual({ name: "Lectern", address: "noreply@localhost" });
  for (const text of [
    "kb",
    "Docs <kb>",
    "a@b.c, d@e.f",
    "a@b.c\r\nBcc: d@e.f",
    "Docs\n <a@b.c>",
    "<a@b.c> <d@e.f>",
    "a b@c.d",
  ]) {
    expect(() => from(text)).toThrow(/^MAIL_FROM is not a valid sender. Set one like/);
  }
  const server = (SMTP_URL: string) => () => readEnv({ SMTP_URL, MAIL_FROM: "kb@example.com" }).smtpUrl;
  expect(server("smtp://me%40x:p%25@mail.example.com:587")()).toBe("smtp://me%40x:p%25@mail.example.com:587");
  expect(server("smtp://:587")).toThrow(/^SMTP_URL is not a valid URL|^SMTP_URL has no host/);
  expect(server("smtp://me:100%@mail.example.com")).toThrow(/^SMTP_URL has no host, or .* percent-encoded/);
  expect(() => readEnv({ SMTP_URL: "smtp://mail.example.com" })).toThrow(
    /^MAIL_FROM is not set, but SMTP_URL needs it. Set/,
  );
});

test.each([
  ["DATABASE_URL", "mysql://me:hunter2@db/x"],
  ["DATABASE_DIRECT_URL", "mysql://me:hunter2@db/x"],
  ["DATABASE_REPLICA_URL", "mysql://me:hunter2@db/x"],
  ["SMTP_URL", "http://me:hunter2@mail.example.com"],
  ["AI_BASE_URL", "ftp://me:hunter2@ai.example.com"],
  ["AI_BASE_URL", "http://me:hunter2@ai.example.com"],
  ["SMTP_URL", "smtp://me:hunter2%@mail.example.com"],
])("a message about %s never holds its password", (name, value) => {
  const message = (() => {
    try {
      return JSON.stringify(readEnv({ [name]: value, MAIL_FROM: "kb@example.com" }));
    } catch (error) {
      return String(error);
    }
  })();
  expect(message).toContain(name);
  expect(message).not.toContain("hunter2");
});

test.each([
  ["the manual", "prisma/manual/run/settings/environment-variables.md", []],
  // `npm start` sets NODE_ENV.
  ["the README", "README.md", ["NODE_ENV"]],
])("every setting has its row in %s", (_, file, others) => {
  const root = join(import.meta.dirname, "..");
  const page = readFileSync(join(root, file), "utf8");
  const rows = page.split("\n").filter((line) => line.startsWith("| `"));
  const listed = rows.flatMap((row) =>
    [...(row.split("|")[1] ?? "").matchAll(/`([A-Z0-9_]+)`/g)].map(([, name]) => name),
  );
  const read = [...readFileSync(join(root, "lib/env.ts"), "utf8").matchAll(/^ {4}([A-Z][A-Z0-9_]+): /gm)];
  // The quickstart sets QUICKSTART for the server it starts.
  const own = read.map(([, name]) => name).filter((name) => name !== "QUICKSTART");
  const names = [...own, ...Object.keys(limitSettings)];
  expect(names.length).toBeGreaterThan(30);
  expect([...listed, ...others].sort()).toEqual(names.sort());
});
