import { setTimeout } from "node:timers/promises";
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { inWorkspace } from "@/lib/db";
import { UnavailableError } from "@/lib/errors";
import { aWorkspace, type TestWorkspace } from "@/testing/workspace";
import { bulkOperation, itemsOf } from "./bulk";
import { HttpError } from "./errors";
import { created, type Operation, writeOperation } from "./operation";
import { type OperationMethod, route } from "./route";

let workspace: TestWorkspace;

beforeAll(async () => {
  workspace = await aWorkspace();
});

const about = {
  operationId: "rename",
  tag: "Settings",
  summary: "",
  description: "",
  returns: "",
  example: { name: "" },
  scope: "members.write" as const,
  params: z.object({}),
  query: z.object({}),
  response: z.object({ name: z.string() }),
};
const body = z.object({ name: z.string().default("Harbour") });

async function ask(operation: Operation, method: OperationMethod, sent?: string, type = "application/json") {
  const url = `http://${workspace.subdomain}.localhost:3000/api/external/v2/names`;
  const headers = new Headers({
    host: new URL(url).host,
    "x-api-key": workspace.key.text,
    "x-forwarded-for": "192.0.2.1",
  });
  if (sent !== undefined) headers.set("content-type", type);
  const request = new Request(url, { method, headers, body: sent });
  const answer = await route({ [method]: operation })[method](request, { params: Promise.resolve({}) });
  return { status: answer.status, location: answer.headers.get("location"), body: await answer.json() };
}

test("a change that is made is answered as made, whatever becomes of what follows it", async () => {
  const rename = writeOperation({
    ...about,
    body,
    before: async () => () => Promise.reject(new UnavailableError()),
    handle: async ({ db, body, workspace: { id } }) =>
      db.workspace.update({ where: { id }, data: { name: body.name }, select: { name: true } }),
  });
  expect(await ask(rename, "POST", '{"name":"Pier"}')).toMatchObject({ status: 200, body: { name: "Pier" } });
  const stored = await inWorkspace(workspace.id, (db) => db.workspace.findFirst({ select: { name: true } }));
  expect(stored).toEqual({ name: "Pier" });
});

test("what is created is answered with 201 and its URL, and what was there before with 200", async () => {
  const put = writeOperation({
    ...about,
    body,
    handle: async ({ body: { name } }) => (name === "New" ? created({ name }, `/names/${name}`) : { name }),
  });
  expect(await ask(put, "PUT", '{"name":"New"}')).toEqual({
    status: 201,
    location: `http://${workspace.subdomain}.localhost:3000/api/external/v2/names/New`,
    body: { name: "New" },
  });
  expect(await ask(put, "PUT", '{"name":"Old"}')).toEqual({ status: 200, location: null, body: { name: "Old" } });
});

test("a body may be absent where the operation says so", async () => {
  const handle = async ({ body: { name } }: { body: { name: string } }) => ({ name });
  const optional = writeOperation({ ...about, body, isBodyOptional: true, handle });
  const required = writeOperation({ ...about, body, handle });
  for (const method of ["POST", "DELETE"] as const) {
    expect((await ask(optional, method)).body).toEqual({ name: "Harbour" });
    expect((await ask(optional, method, "")).body).toEqual({ name: "Harbour" });
    expect((await ask(optional, method, '{"name":"Pier"}')).body).toEqual({ name: "Pier" });
    expect((await ask(optional, method, '{"name":"Pier"}', "text/plain")).status).toBe(415);
    expect((await ask(required, method)).status).toBe(415);
    expect((await ask(required, method, "")).status).toBe(400);
  }
  const bodiless = writeOperation({ ...about, handle: async ({ body }) => ({ name: JSON.stringify(body) }) });
  expect((await ask(bodiless, "DELETE", "{")).body).toEqual({ name: "{}" });
});

test("an operation sets the limit of its body, and the refusal names it", async () => {
  const handle = async ({ body: { name } }: { body: { name: string } }) => ({ name: String(name.length) });
  const large = writeOperation({ ...about, body, bodyLimit: 2 * 1024 * 1024, handle });
  const sent = (bytes: number) => JSON.stringify({ name: "x".repeat(bytes - '{"name":""}'.length) });
  expect((await ask(large, "POST", sent(2 * 1024 * 1024))).status).toBe(200);
  const refused = await ask(large, "POST", sent(2 * 1024 * 1024 + 1));
  expect([refused.status, refused.body.error]).toEqual([413, "The body is over 2 MiB. Send a smaller one."]);
});

test("a bulk request that runs out of time refuses the items that have not started", async () => {
  const made: string[] = [];
  const rename = writeOperation({
    ...about,
    body,
    prepare: () => setTimeout(60),
    async handle({ body: { name } }) {
      made.push(name);
      return { name };
    },
  });
  const bulk = bulkOperation({
    ...about,
    scope: null,
    seconds: 0.05,
    body: z.object({ items: itemsOf(z.object({ name: z.string(), ref: z.string().optional() }), []) }),
    response: z.object({ results: z.array(z.looseObject({ status: z.int() })) }),
    example: { results: [] },
    requestOf: ({ name }) => ({ operation: rename, method: "POST", path: "/names", params: {}, body: { name } }),
  });
  const sent = JSON.stringify({ items: [{ name: "One", ref: "1" }, { name: "Two" }] });
  expect((await ask(bulk, "POST", sent)).body.results).toEqual([
    { ref: "1", status: 200, name: "One" },
    {
      ref: null,
      status: 503,
      error: "This item was not tried because the bulk request took more than 0.05 seconds. Send the item again.",
      code: "not_tried",
    },
  ]);
  expect(made).toEqual(["One"]);
});

test("slow work is done before the transaction, and can refuse the change", async () => {
  const steps: string[] = [];
  const prepared = writeOperation({
    ...about,
    body,
    async prepare({ body: { name } }) {
      steps.push("prepare");
      if (name === "refused") throw new HttpError("request_in_progress", "No.");
      return name.toUpperCase();
    },
    async handle({ prepared }) {
      steps.push("handle");
      return { name: prepared };
    },
  });
  expect((await ask(prepared, "POST", '{"name":"pier"}')).body).toEqual({ name: "PIER" });
  expect((await ask(prepared, "POST", '{"name":"refused"}')).status).toBe(409);
  expect(steps).toEqual(["prepare", "handle", "prepare"]);
});
