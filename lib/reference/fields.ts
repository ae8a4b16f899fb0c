import { type OpenApi, type Ref, resolved, type Schema } from "./openapi";

/** A field of a body, or a parameter, in the words of the reference. */
export interface Field {
  name: string;
  /** "string", "array of uuid", "object or null". */
  type: string;
  required: boolean;
  description: string;
  /** The values there are, when they are few. */
  values: string[];
  /** The value that counts when none is sent, as text. */
  fallback?: string;
  /** A value that could be sent, as text; empty when the document shows none. */
  example: string;
  /** Of an object, or of each item of an array. */
  fields: Field[];
  /** Whether its fields are those of something around it, so that they are not repeated. */
  recursive: boolean;
}

/** The fields of an object's schema, in the document's order. */
export function fieldsOf(document: OpenApi, schema: Ref<Schema> | undefined, around: string[] = []): Field[] {
  if (!schema) return [];
  const names = [...around, ...namesOf(schema)];
  const { properties = {}, required = [] } = merged(document, schema);
  return Object.entries(properties).map(([name, property]) =>
    fieldOf(document, name, property, required.includes(name), names),
  );
}

/** One field. `around` names the schemas that it stands in. */
export function fieldOf(
  document: OpenApi,
  name: string,
  property: Ref<Schema>,
  required: boolean,
  around: string[] = [],
): Field {
  const schema = merged(document, property);
  const [inner, nullable] = withoutNull(document, property);
  const values = valuesOf(merged(document, inner)).map(String);
  const object = itemOf(document, inner);
  const recursive = namesOf(object).some((one) => around.includes(one));
  const beside = "description" in inner ? inner.description : undefined;
  return {
    name,
    type: wordsOf(document, inner) + (nullable ? " or null" : ""),
    required,
    description: schema.description ?? beside ?? "",
    values,
    fallback: textOf(schema.default),
    example: textOf(schema.examples?.[0] ?? schema.default ?? values[0]) ?? "",
    fields: recursive ? [] : fieldsOf(document, object, around),
    recursive,
  };
}

/** The schema of a reference, with what `allOf` adds to it. */
function merged(document: OpenApi, given: Ref<Schema>): Schema {
  const schema = resolved(document, given);
  const parts = (schema.allOf ?? []).map((part) => merged(document, part));
  return parts.reduceRight<Schema>(
    (whole, part) => ({
      ...part,
      ...whole,
      properties: { ...part.properties, ...whole.properties },
      required: [...(part.required ?? []), ...(whole.required ?? [])],
    }),
    schema,
  );
}

/** A schema without the alternative null, and whether there was one. */
function withoutNull(document: OpenApi, given: Ref<Schema>): [Ref<Schema>, boolean] {
  const schema = merged(document, given);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) {
    const others = choices.filter((choice) => resolved(document, choice).type !== "null");
    const [only] = others;
    if (others.length === 1 && only) return [only, others.length < choices.length];
    return [{ ...schema, anyOf: others }, others.length < choices.length];
  }
  if (!Array.isArray(schema.type)) return [given, false];
  const types = schema.type.filter((type) => type !== "null");
  return [{ ...schema, type: types.length === 1 ? types[0] : types }, types.length < schema.type.length];
}

/** What an array holds, however deep; anything else itself. */
function itemOf(document: OpenApi, given: Ref<Schema>): Ref<Schema> {
  const { type, items } = merged(document, given);
  return type === "array" && items ? itemOf(document, items) : given;
}

/** The names of the components that a reference passes through. */
function namesOf(given: Ref<Schema>): string[] {
  const parts = [given, ...(given.allOf ?? [])];
  return parts.flatMap((part) => ("$ref" in part ? [part.$ref] : []));
}

function wordsOf(document: OpenApi, given: Ref<Schema>): string {
  const schema = merged(document, given);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return [...new Set(choices.map((choice) => wordsOf(document, choice)))].join(" or ");
  if (schema.type === "array") return schema.items ? `array of ${plural(wordsOf(document, schema.items))}` : "array";
  if (Array.isArray(schema.type)) return schema.type.join(" or ");
  if (schema.type === "string" && schema.format) return formats[schema.format] ?? schema.format;
  return schema.type ?? (schema.properties ? "object" : "any");
}

const formats: Record<string, string> = { "date-time": "timestamp", uri: "URL", uuid: "UUID", email: "e-mail address" };

function plural(word: string): string {
  return /(?:s|array.*)$/.test(word) ? word : `${word.replace(/address$/, "addresse")}s`;
}

function valuesOf(schema: Schema): unknown[] {
  const values = schema.const === undefined ? (schema.enum ?? []) : [schema.const];
  return values.filter((value) => value !== null);
}

/** A value of the document as a person would type it. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" || value === undefined ? value : JSON.stringify(value);
}
