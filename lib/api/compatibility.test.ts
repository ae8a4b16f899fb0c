import { expect, test } from "vitest";
import { breakingChanges } from "./compatibility";

/** A document of one read and one write. */
function document() {
  return {
    security: [{ ApiKey: [] }],
    paths: {
      "/things": {
        get: {
          operationId: "listThings",
          parameters: [
            { in: "query", name: "page", schema: { type: "integer", minimum: 1, maximum: 100, default: 1 } },
            { in: "query", name: "state", schema: { $ref: "#/components/schemas/State" } },
            { $ref: "#/components/parameters/Trace" },
          ],
          responses: {
            200: {
              headers: { ETag: { $ref: "#/components/headers/ETag" } },
              content: { "application/json": { schema: { $ref: "#/components/schemas/List" } } },
            },
            404: { $ref: "#/components/responses/NotFound" },
          },
        },
        patch: {
          operationId: "changeThings",
          parameters: [] as object[],
          requestBody: {
            required: true,
            content: { "application/json": { schema: { $ref: "#/components/schemas/Changes" } } },
          },
          responses: { 200: { content: { "application/json": { schema: { $ref: "#/components/schemas/Thing" } } } } },
        },
      },
    },
    components: {
      headers: { ETag: { required: true, schema: { type: "string" } } },
      parameters: { Trace: { in: "header", name: "X-Trace", schema: { type: "string" } } },
      responses: { NotFound: { content: { "application/json": { schema: { type: "object", properties: {} } } } } },
      schemas: {
        State: { type: "string", enum: ["open", "closed"] },
        List: {
          type: "object",
          properties: { things: { type: "array", items: { $ref: "#/components/schemas/Thing" } } },
          required: ["things"],
        },
        Thing: {
          type: "object",
          properties: {
            id: { type: "string", format: "uuid", description: "Its id." },
            state: { $ref: "#/components/schemas/State" },
            note: { type: ["string", "null"] },
            parts: { type: "array", items: { $ref: "#/components/schemas/Thing" } },
          },
          required: ["id", "state"],
        },
        Changes: {
          type: "object",
          properties: { name: { type: "string", maxLength: 100 }, tags: { type: "array", items: { type: "string" } } },
        },
      },
    },
  };
}

const changed = (change: (after: any) => void): string[] => {
  const after = document();
  change(after);
  return breakingChanges(document(), after);
};

const get = "GET /things";
const thing = `${get} › 200 › application/json › things › []`;
const written = "PATCH /things › 200 › application/json";
const body = "PATCH /things › body";

test.each<[string, (after: any) => void, string[]]>([
  ["a path is gone", ({ paths }) => delete paths["/things"], ["GET /things is gone", "PATCH /things is gone"]],
  ["an operation is gone", ({ paths }) => delete paths["/things"].patch, ["PATCH /things is gone"]],
  [
    "an operation has another name",
    ({ paths }) => (paths["/things"].get.operationId = "things"),
    [`${get} has the operationId "things", was "listThings"`],
  ],
  [
    "another key is asked for",
    (after) => (after.security = [{ Bearer: [] }]),
    [
      `${get} has the security [{"Bearer":[]}], was [{"ApiKey":[]}]`,
      `PATCH /things has the security [{"Bearer":[]}], was [{"ApiKey":[]}]`,
    ],
  ],
  ["a parameter is gone", ({ paths }) => paths["/things"].get.parameters.shift(), [`${get} › query page is gone`]],
  [
    "a parameter is new and required",
    ({ paths }) => paths["/things"].patch.parameters.push({ in: "query", name: "why", required: true, schema: {} }),
    ["PATCH /things › query why is new and required"],
  ],
  [
    "a parameter has become required",
    ({ components }) => (components.parameters.Trace.required = true),
    [`${get} › header X-Trace has become required`],
  ],
  [
    "a parameter accepts less",
    ({ paths }) => Object.assign(paths["/things"].get.parameters[0].schema, { minimum: 2, maximum: 50 }),
    [`${get} › query page has the minimum 2, was 1`, `${get} › query page has the maximum 50, was 100`],
  ],
  [
    "a parameter means something else when it is left out",
    ({ paths }) => (paths["/things"].get.parameters[0].schema.default = 0),
    [`${get} › query page has the default 0, was 1`],
  ],
  [
    "a value is gone",
    ({ components }) => components.schemas.State.enum.pop(),
    [
      `${get} › query state no longer accepts "closed"`,
      `${thing} › state no longer accepts "closed"`,
      `${written} › state no longer accepts "closed"`,
    ],
  ],
  [
    "a field of a body is gone, another is new and required, a third accepts less",
    ({ components }) => {
      const { Changes } = components.schemas;
      Changes.properties = { name: { type: "string", maxLength: 10, pattern: "^a" }, why: { type: "string" } };
      Changes.required = ["why"];
    },
    [
      `${body} › application/json › name has the maxLength 10, was 100`,
      `${body} › application/json › name has the pattern "^a", was none`,
      `${body} › application/json › tags is gone`,
      `${body} › application/json › why is new and required`,
    ],
  ],
  [
    "a body may not be sent as before",
    ({ paths }) => (paths["/things"].patch.requestBody.content = { "text/json": { schema: {} } }),
    [`${body} › application/json is gone`],
  ],
  ["a status is gone", ({ paths }) => delete paths["/things"].get.responses[404], [`${get} › 404 is gone`]],
  [
    "a header is gone",
    ({ paths }) => delete paths["/things"].get.responses[200].headers,
    [`${get} › 200 › ETag is gone`],
  ],
  [
    "a header may be absent",
    ({ components }) => delete components.headers.ETag.required,
    [`${get} › 200 › ETag may be absent now`],
  ],
  [
    "a field of an answer is gone",
    ({ components }) => delete components.schemas.Thing.properties.note,
    [`${thing} › note is gone`, `${written} › note is gone`],
  ],
  [
    "a field of an answer may be absent",
    ({ components }) => components.schemas.Thing.required.pop(),
    [`${thing} › state may be absent now`, `${written} › state may be absent now`],
  ],
  [
    "a field of an answer has another type, or may be null",
    ({ components }) => {
      components.schemas.Thing.properties.id = { type: ["string", "null"], format: "uuid" };
      components.schemas.Thing.properties.note = { type: "integer" };
    },
    [
      `${thing} › id has the type ["string","null"], was "string"`,
      `${thing} › note has the type "integer", was ["string","null"]`,
      `${written} › id has the type ["string","null"], was "string"`,
      `${written} › note has the type "integer", was ["string","null"]`,
    ],
  ],
  [
    "a field of an answer has another form",
    ({ components }) => (components.schemas.Thing.properties.id.format = "ulid"),
    [`${thing} › id has the format "ulid", was "uuid"`, `${written} › id has the format "ulid", was "uuid"`],
  ],
  [
    "something is said that cannot be judged",
    ({ components }) => (components.schemas.Changes.anyOf = [{}]),
    [`${body} › application/json has the anyOf [{}], was none`],
  ],
])("clients break when %s", (_, change, expected) => {
  expect(changed(change)).toEqual(expected);
});

test.each<[string, (after: any) => void]>([
  ["nothing has changed", () => {}],
  ["a path is new", ({ paths }) => (paths["/others"] = paths["/things"])],
  ["a method is new", ({ paths }) => (paths["/things"].post = paths["/things"].patch)],
  [
    "an optional parameter is new",
    ({ paths }) => paths["/things"].get.parameters.push({ in: "query", name: "sort", schema: { type: "string" } }),
  ],
  [
    "a parameter accepts more",
    ({ paths, components }) => {
      Object.assign(paths["/things"].get.parameters[0].schema, { minimum: 0, maximum: 200 });
      components.schemas.State.enum.push("waiting");
    },
  ],
  [
    "a body accepts more",
    ({ components }) => {
      delete components.schemas.Changes.properties.name.maxLength;
      components.schemas.Changes.properties.tags.type = ["array", "null"];
      components.schemas.Changes.properties.why = { type: "string" };
    },
  ],
  [
    "a field, a header and a status of an answer are new",
    ({ paths, components }) => {
      components.schemas.Thing.properties.color = { type: "string" };
      components.schemas.Thing.required.push("color");
      paths["/things"].get.responses[200].headers.Link = { schema: { type: "string" } };
      paths["/things"].get.responses[410] = { $ref: "#/components/responses/NotFound" };
    },
  ],
  ["a field of an answer is always there now", ({ components }) => components.schemas.Thing.required.push("note")],
  [
    "words have changed, and the name of a component",
    ({ components, paths }) => {
      components.schemas.Thing.properties.id.description = "The id.";
      components.schemas.Changed = components.schemas.Changes;
      delete components.schemas.Changes;
      paths["/things"].patch.requestBody.content["application/json"].schema.$ref = "#/components/schemas/Changed";
    },
  ],
])("clients keep working when %s", (_, change) => {
  expect(changed(change)).toEqual([]);
});
