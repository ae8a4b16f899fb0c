import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Lectern } from "./index.js";

const read = (path: string) => readFileSync(join(import.meta.dirname, "../../..", path), "utf8");

interface Api {
  paths: Record<string, Record<string, { operationId: string }>>;
}

/** Every operation, with the paths it has when its parameters are "a" and "b". */
function operations(): { operationId: string; request: string }[] {
  const { paths } = JSON.parse(read("docs/openapi/v2.json")) as Api;
  return Object.entries(paths).flatMap(([template, methods]) => {
    const names = ["a", "b"];
    const path = template.replace(/\{\w+\}/g, () => names.shift() ?? "");
    return Object.entries(methods).map(([method, { operationId }]) => ({
      operationId,
      request: `${method.toUpperCase()} /api/external/v2${path}`,
    }));
  });
}

type Method = (...args: unknown[]) => Promise<unknown> | AsyncGenerator;

/** What a program can call: its name, such as "kb.articles.list", and the method. */
function methodsOf(part: object, name = "kb"): [string, Method][] {
  const methods: [string, Method][] = [];
  for (let type = Object.getPrototypeOf(part); type !== Object.prototype; type = Object.getPrototypeOf(type)) {
    const own = Object.getOwnPropertyNames(type).filter((method) => method !== "constructor");
    methods.push(...own.map((method): [string, Method] => [`${name}.${method}`, type[method].bind(part)]));
  }
  const inner = Object.entries(part).filter(([field, value]) => field !== "connection" && typeof value === "object");
  return [...methods, ...inner.flatMap(([field, value]) => methodsOf(value as object, `${name}.${field}`))];
}

test("every operation of the API has a method, and every method calls an operation", async () => {
  const sent = new Set<string>();
  const kb = new Lectern({
    url: "https://docs.example.com",
    apiKey: "kb_x",
    fetch: async (url, { method }) => {
      sent.add(`${method} ${new URL(url).pathname}`);
      return Response.json({ error: "Not found." }, { status: 404 });
    },
  });
  for (const [, method] of methodsOf(kb)) {
    const called = method("a", "b");
    await (Symbol.asyncIterator in called ? called.next() : called).catch(() => {});
  }
  const all = operations();
  expect(all.filter(({ request }) => !sent.has(request)).map(({ operationId }) => operationId)).toEqual([]);
  expect([...sent].filter((request) => !all.some((operation) => operation.request === request))).toEqual([]);
});

test("the manual names every method", () => {
  const lines = read("prisma/manual/integrate/typescript-client.md").split("\n");
  const kb = new Lectern({ url: "https://docs.example.com", apiKey: "kb_x" });
  const missing = methodsOf(kb).filter(([name]) => {
    const [, part = "", method] = /^(kb(?:\.\w+)?).*\.(\w+)$/.exec(name) ?? [];
    return !lines.some((line) => line.startsWith(`| \`${part}.`) && line.includes(`${method}(`));
  });
  expect(missing.map(([name]) => name)).toEqual([]);
});
