import { resolve } from "node:path";
import { expect, test } from "vitest";
import { readEnv } from "./env";

test("without any setting there are working defaults, and an empty variable counts as none", () => {
  const defaults = {
    nodeEnv: "development",
    port: 3000,
    host: undefined,
    baseUrl: "http://localhost:3000",
    dataDir: resolve(".data"),
    databaseUrl: undefined,
    databasePool: 10,
    authSecret: undefined,
    trustProxy: false,
  };
  expect(readEnv({})).toEqual(defaults);
  expect(readEnv({ PORT: "", BASE_URL: "", DATABASE_URL: "", TRUST_PROXY: "" })).toEqual(defaults);
});

test("the base address follows the port, and loses a slash at its end", () => {
  expect(readEnv({ PORT: "4000" }).baseUrl).toBe("http://localhost:4000");
  expect(readEnv({ BASE_URL: "https://example.com/" }).baseUrl).toBe("https://example.com");
});

test("every setting that cannot be used is named with what to do", () => {
  const refuse = (variables: Record<string, string>) => () => readEnv(variables);
  expect(refuse({ PORT: "http" })).toThrow(/^PORT is "http": give a whole number from 1 to 65535/);
  expect(refuse({ PORT: "70000" })).toThrow(/^PORT is "70000"/);
  expect(refuse({ BASE_URL: "example.com" })).toThrow(/^BASE_URL is not an address that can be used: give one like/);
  for (const base of [
    "https://example.com/kb",
    "http://127.0.0.1:3000",
    "http://[::1]:3000",
    "https://a@example.com",
  ]) {
    expect(refuse({ BASE_URL: base })).toThrow(/^BASE_URL is scheme, domain and port alone/);
  }
  expect(refuse({ DATABASE_URL: "mysql://x" })).toThrow(/^DATABASE_URL is not an address.*postgresql:\/\//);
  expect(refuse({ TRUST_PROXY: "perhaps" })).toThrow("TRUST_PROXY is neither true nor false: set one of the two.");
  expect(refuse({ PORT: "x", DATABASE_POOL: "1" })).toThrow(/PORT[^]*\nDATABASE_POOL/);
});

test("a message about the database's address never holds its password", () => {
  const message = (() => {
    try {
      return JSON.stringify(readEnv({ DATABASE_URL: "mysql://me:hunter2@db/x" }));
    } catch (error) {
      return String(error);
    }
  })();
  expect(message).toContain("DATABASE_URL");
  expect(message).not.toContain("hunter2");
});
