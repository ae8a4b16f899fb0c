import { expect, test } from "vitest";
import v1 from "@/docs/openapi/v1.json";
import v2 from "@/docs/openapi/v2.json";
import { referenceOf } from "./document";
import type { Field } from "./fields";
import type { OpenApi } from "./openapi";

const documents = { v1: v1 as unknown as OpenApi, v2: v2 as unknown as OpenApi };

test.each(["v1", "v2"] as const)("every operation of the document of %s is shown once, and none beside", (version) => {
  const { basePath, groups } = referenceOf(documents[version]);
  const shown = groups.flatMap(({ operations }) => operations).map(({ method, path }) => `${method} ${path}`);
  const declared = Object.entries(documents[version].paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${basePath}${path}`),
  );
  expect(basePath).toBe(`/api/external/${version}`);
  expect([...shown].sort()).toEqual(declared.sort());
});

test("each operation has an address of its own on its page", () => {
  const { groups } = referenceOf(documents.v2);
  const anchors = groups.flatMap(({ anchor, operations }) => [anchor, ...operations.map((one) => one.anchor)]);
  expect(anchors).toContain("list-articles");
  expect(new Set(anchors).size).toBe(anchors.length);
});

const document: OpenApi = {
  info: { version: "3.1" },
  tags: [{ name: "Big trees", description: "Tall." }],
  paths: {
    "/trees/{tree_id}": {
      get: {
        operationId: "getTree",
        tags: ["Big trees"],
        summary: "Get a tree",
        description: "One tree.",
        security: [{ ApiKey: ["trees.read"] }],
        parameters: [
          { name: "page_size", in: "query", schema: { type: "integer", default: 30, examples: [10] } },
          { name: "kind", in: "query", required: true, schema: { type: "string", enum: ["oak", "ash"] } },
          { $ref: "#/components/parameters/Id" },
        ],
        responses: {
          "200": {
            description: "The tree.",
            headers: { ETag: { $ref: "#/components/headers/ETag" }, Vary: { $ref: "#/components/headers/Vary" } },
            content: {
              "application/json": { schema: { $ref: "#/components/schemas/Tree" }, example: { name: "Oak" } },
            },
          },
          "403": { description: "No.", headers: { Vary: { $ref: "#/components/headers/Vary" } } },
        },
      },
    },
  },
  components: {
    parameters: { Id: { name: "tree_id", in: "path", required: true, schema: { type: "string", format: "uuid" } } },
    headers: {
      ETag: { description: "A tag.", schema: { type: "string", examples: ["W/1"] } },
      Vary: { description: "Vary.", schema: {} },
    },
    schemas: {
      Tree: {
        type: "object",
        required: ["name"],
        properties: {
          name: { type: ["string", "null"], description: "What it is called." },
          planted: { anyOf: [{ type: "string", format: "date-time" }, { type: "null" }] },
          branches: { type: "array", items: { $ref: "#/components/schemas/Tree" } },
          owner: { $ref: "#/components/schemas/Owner", description: "Who owns it." },
        },
      },
      Owner: { type: "object", description: "A person.", properties: { name: { type: "string" } } },
    },
  },
};

const [group] = referenceOf(document).groups;
const operation = group?.operations[0];

test("parameters are in the order in which a call needs them, each with its description", () => {
  expect(group).toMatchObject({ name: "Big trees", anchor: "big-trees", description: "Tall." });
  expect(operation).toMatchObject({ anchor: "get-tree", method: "GET", path: "/api/external/v3/trees/{tree_id}" });
  expect(operation?.parameters).toEqual([
    expect.objectContaining({ name: "tree_id", in: "path", required: true, type: "UUID" }),
    expect.objectContaining({ name: "kind", required: true, values: ["oak", "ash"], example: "oak" }),
    expect.objectContaining({ name: "page_size", required: false, fallback: "30", example: "10" }),
  ]);
});

test("an answer shows its fields, also those below, and stops where a schema holds itself", () => {
  const [answer, refusal] = operation?.answers ?? [];
  const described = (fields: Field[]): unknown =>
    fields.map(({ name, type, required, description, recursive, fields: below }) => [
      `${name}${required ? "" : "?"}: ${type}${recursive ? " …" : ""}`,
      description,
      described(below),
    ]);
  expect(described(answer?.fields ?? [])).toEqual([
    ["name: string or null", "What it is called.", []],
    ["planted?: timestamp or null", "", []],
    ["branches?: array of objects …", "", []],
    ["owner?: object", "Who owns it.", [["name?: string", "", []]]],
  ]);
  expect(answer?.example).toEqual({ name: "Oak" });
  expect(refusal).toMatchObject({ status: "403", fields: [], example: undefined });
});

test("headers that every answer has are said once, and an operation names the scopes that it needs", () => {
  const { headers } = referenceOf(document);
  expect(headers.map(({ name, example, everywhere }) => [name, example, everywhere])).toEqual([
    ["ETag", "W/1", false],
    ["Vary", undefined, true],
  ]);
  expect(operation?.answers.map((answer) => answer.headers)).toEqual([["ETag"], []]);
  expect(operation?.scopes).toEqual(["trees.read"]);
});

test("a broken reference in the document throws an error that names it", () => {
  const broken = structuredClone(document);
  delete broken.components.schemas?.Owner;
  expect(() => referenceOf(broken)).toThrow("The OpenAPI document has nothing at #/components/schemas/Owner.");
});
