/** The parts of an OpenAPI document that the client's types come from. */
export interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

interface Operation {
  operationId: string;
  parameters: { name?: string; in?: string; required?: boolean; schema?: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  default?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema;
  required?: string[];
}

const JSON_TYPE = "application/json";
const LINE = 120;

const header = `// Made from docs/openapi/v2.json by \`npm run openapi\`, which is how to change it.
`;

/**
 * The text of packages/client/src/types.ts: a type for every schema that a caller sends or receives, under
 * its own name, and one for each operation's query, if any, named after the operation.
 * @throws Error where these types could not express the document
 */
export function clientTypes({ paths, components }: Document): string {
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  const bodies = operations.flatMap(({ requestBody }) => requestBody?.content[JSON_TYPE]?.schema ?? []);
  const queries = operations.flatMap(({ operationId, parameters }) => {
    const query = parameters.filter((parameter) => parameter.in === "query");
    return query.length > 0
      ? [{ name: `${operationId[0]?.toUpperCase()}${operationId.slice(1)}Query`, query: query }]
      : [];
  });
  const answers = operations.flatMap(({ responses }) =>
    [responses[200], responses[201]].flatMap((response) => response?.content?.[JSON_TYPE]?.schema ?? []),
  );
  const failures = ["InvalidField", "ErrorCode"].map((name) => ({ $ref: `#/components/schemas/${name}` }));
  const used = reachable(components.schemas, [bodies, answers, failures, queries]);
  const inputs = new Set(bodies.map(nameOf));

  return [
    header,
    ...Object.entries(components.schemas)
      .filter(([name]) => used.has(name))
      .map(([name, schema]) => declaration(name, schema, inputs.has(name))),
    ...queries.map(({ name, query: query }) => {
      const properties = Object.fromEntries(query.map(({ name = "", schema = {} }) => [name, schema] as const));
      const required = query.filter((parameter) => parameter.required).map((parameter) => parameter.name ?? "");
      return declaration(name, { type: "object", properties, required }, true);
    }),
  ].join("\n");
}

/** The names of the schemas that something references, directly or indirectly. */
function reachable(schemas: Record<string, Schema>, from: unknown): Set<string> {
  const found = new Set<string>();
  const follow = (value: unknown) => {
    for (const [, name = ""] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (found.has(name)) continue;
      found.add(name);
      if (!schemas[name]) throw new Error(`The document refers to ${name}, which it does not define.`);
      follow(schemas[name]);
    }
  };
  follow(from);
  return found;
}

/** @param input callers may send undefined, which sends nothing. In answers a field is either absent or present */
function declaration(name: string, schema: Schema, input: boolean): string {
  const comment = commented(schema, "");
  if (!schema.properties) {
    const line = `export type ${name} = ${typeOf(schema, "")};\n`;
    return comment + (line.length > LINE ? line.replace(" = ", " = | ").replaceAll(/ \| /g, "\n  | ") : line);
  }
  return `${comment}export interface ${name} ${typeOf(schema, "", input)}\n`;
}

function typeOf(schema: Schema, indent: string, input = false): string {
  if (schema.$ref) return nameOf(schema);
  if (schema.type === "null") return "null";
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.anyOf) return schema.anyOf.map((one) => typeOf(one, indent)).join(" | ");
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type }, indent)).join(" | ");
  if (schema.items) {
    const item = typeOf(schema.items, indent);
    return item.includes(" | ") ? `(${item})[]` : `${item}[]`;
  }
  if (schema.properties) {
    const inner = `${indent}  `;
    const fields = Object.entries(schema.properties).map(([name, property]) => {
      const required = schema.required?.includes(name);
      const type = `${typeOf(property, inner)}${input && !required ? " | undefined" : ""}`;
      return `${commented(property, inner)}${inner}${name}${required ? "" : "?"}: ${type};\n`;
    });
    return `{\n${fields.join("")}${indent}}`;
  }
  if (schema.additionalProperties) return `Record<string, ${typeOf(schema.additionalProperties, indent)}>`;
  if (schema.type === "integer" || schema.type === "number") return "number";
  if (schema.type === "string" || schema.type === "boolean") return schema.type;
  throw new Error(`No type for ${JSON.stringify(schema)}. Add this kind of schema to bin/openapi/client-types.ts.`);
}

function nameOf({ $ref = "" }: Schema): string {
  return $ref.slice($ref.lastIndexOf("/") + 1);
}

/** The description as a comment, on one line where it fits. */
function commented({ description, default: fallback }: Schema, indent: string): string {
  const sentences = [description, fallback !== undefined && `Default: ${JSON.stringify(fallback)}.`].filter(Boolean);
  const text = sentences.join(" ").replaceAll("*/", "*\\/");
  if (!text) return "";
  if (`${indent}/** ${text} */`.length <= LINE) return `${indent}/** ${text} */\n`;
  const lines = [""];
  for (const word of text.split(/\s+/)) {
    const longer = `${lines.at(-1)} ${word}`.trim();
    if (`${indent} * ${longer}`.length <= LINE) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join("")}${indent} */\n`;
}
