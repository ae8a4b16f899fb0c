import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { clientTypes } from "@/bin/openapi/client-types";

const read = (path: string) => readFileSync(join(import.meta.dirname, path), "utf8");
const document = () => JSON.parse(read("../../../docs/openapi/v2.json"));

test("the types match the document (`npm run openapi` regenerates them)", () => {
  expect(read("types.ts")).toBe(clientTypes(document()));
});

test("what the types cannot say is refused when they are made", () => {
  const changed = document();
  changed.components.schemas.Tag.properties.name = { oneOf: [{ type: "string" }, { type: "integer" }] };
  expect(() => clientTypes(changed)).toThrow('No type for {"oneOf"');
});

test("null, lists, comments and what may be left out are written as TypeScript has them", () => {
  const schema = {
    type: "object",
    description: "A thing. */",
    properties: {
      names: { type: ["array", "null"], items: { anyOf: [{ type: "string" }, { type: "null" }] } },
      size: { type: "integer", default: 3 },
    },
    required: ["names"],
  };
  const answer = { content: { "application/json": { schema: { $ref: "#/components/schemas/Thing" } } } };
  const get = { operationId: "getThing", parameters: [], responses: { 200: answer } };
  const made = clientTypes({
    paths: { "/thing": { get } },
    components: { schemas: { Thing: schema, InvalidField: { type: "string" }, ErrorCode: { type: "string" } } },
  });
  expect(made.split("\n\n")[1]).toBe(
    [
      "/** A thing. *\\/ */",
      "export interface Thing {",
      "  names: (string | null)[] | null;",
      "  /** Default: 3. */",
      "  size?: number;",
      "}",
    ].join("\n"),
  );
});
