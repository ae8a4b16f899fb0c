import { type OpenApi, type Ref, resolved, type Schema } from "./openapi";

export interface Field {
  name: string;
  /** "string", "array of UUIDs", "object or null". */
  type: string;
  required: boolean;
  description: string;
  /** The values of an enum. */
  values: string[];
  /** The default. */
  fallback?: string;
  /** Empty when the document has none. */
  example: string;
  /** Fields of the object, or of an array's items. */
  fields: Field[];
  /** Whether `fields` is empty because they repeat those of an outer field. */
  recursive: boolean;
}

export function fieldsOf(document: OpenApi, schema: Ref<Schema> | undefined, around: string[] = []): Field[] {
  if (!schema) return [];
  const outer = "$ref" in schema ? [...around, schema.$ref] : around;
  const { properties = {}, required = [] } = resolved(document, schema);
  return Object.entries(properties).map(([name, property]) =>
    fieldOf(document, name, property, required.includes(name), outer),
  );
}

/** @param around references of the outer schemas */
export function fieldOf(
  document: OpenApi,
  name: string,
  property: Ref<Schema>,
  required: boolean,
  around: string[] = [],
): Field {
  const schema = resolved(document, property);
  const [inner, nullable] = withoutNull(document, property);
  const values = (resolved(document, inner).enum ?? []).map(String);
  const item = itemOf(document, inner);
  const recursive = "$ref" in item && around.includes(item.$ref);
  return {
    name,
    type: typeName(document, inner) + (nullable ? " or null" : ""),
    required,
    description: schema.description ?? "",
    values,
    fallback: textOf(schema.default),
    example: textOf(schema.examples?.[0] ?? schema.default ?? values[0]) ?? "",
    fields: recursive ? [] : fieldsOf(document, item, around),
    recursive,
  };
}

/** Removes null from a schema's types, and returns whether it was there. */
function withoutNull(document: OpenApi, reference: Ref<Schema>): [Ref<Schema>, boolean] {
  const schema = resolved(document, reference);
  const choice = schema.anyOf?.find(({ type }) => type !== "null");
  if (choice) return [choice, true];
  if (!Array.isArray(schema.type)) return [reference, false];
  return [{ ...schema, type: schema.type.find((type) => type !== "null") }, true];
}

/** The items' schema of an array, however deep. */
function itemOf(document: OpenApi, reference: Ref<Schema>): Ref<Schema> {
  const { items } = resolved(document, reference);
  return items ? itemOf(document, items) : reference;
}

function typeName(document: OpenApi, reference: Ref<Schema>): string {
  const { type, format, items } = resolved(document, reference);
  if (items) return `array of ${plural(typeName(document, items))}`;
  return (format && (formats[format] ?? (type === "string" ? format : undefined))) || String(type);
}

const formats: Record<string, string> = { "date-time": "timestamp", uri: "URL", uuid: "UUID", email: "email" };

function plural(word: string): string {
  return /(?:s|array.*)$/.test(word) ? word : `${word.replace(/address$/, "addresse")}s`;
}

/** Strings without quotes, other values as JSON. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" || value === undefined ? value : JSON.stringify(value);
}
