import type { z } from "zod";

/** Returns undefined for a field that is absent. */
type Writer = (value: unknown) => string | undefined;

/** In characters. */
const LONG = 1_000;

/** By omitted fields, then by schema. */
const writers = new Map<string, Map<z.core.$ZodType, Writer>>();

/**
 * Writes an answer as JSON with the fields that its schema declares, so that no new column can leak. Types are checked. Formats
 * and limits aren't, because an answer comes from our own code. The JSON of a frozen object is kept, so its parts must not change
 * either.
 * @param omits names of fields to leave out, at any depth
 * @throws Error with the path of a field that is missing or has another type
 */
export function jsonOf(schema: z.core.$ZodType, answer: unknown, omits: readonly string[] = []): string {
  const json = writerOf(schema, omits)(answer);
  if (json === undefined) throw new Error("expected an answer, got undefined");
  return json;
}

function writerOf(schema: z.core.$ZodType, omits: readonly string[]): Writer {
  const name = omits.join();
  const known = writers.get(name) ?? new Map<z.core.$ZodType, Writer>();
  writers.set(name, known);
  let writer = known.get(schema);
  if (!writer) {
    writer = newWriter(schema as z.core.$ZodTypes, omits);
    known.set(schema, writer);
  }
  return writer;
}

function newWriter(schema: z.core.$ZodTypes, omits: readonly string[]): Writer {
  const { def } = schema._zod;
  const inner = (type: z.core.$ZodType) => writerOf(type, omits);
  if (def.type === "string") return textWriter();
  if (def.type === "boolean")
    return (value) => (typeof value === def.type ? JSON.stringify(value) : refuse(def.type, value));
  if (def.type === "number") return (value) => (Number.isFinite(value) ? String(value) : refuse("a number", value));
  if (def.type === "enum") {
    const values = new Map(Object.values(def.entries).map((entry) => [entry as unknown, JSON.stringify(entry)]));
    return (value) => values.get(value) ?? refuse([...values.values()].join(" or "), value);
  }
  if (def.type === "nullable") {
    const write = inner(def.innerType);
    return (value) => (value === null ? "null" : write(value));
  }
  if (def.type === "optional") {
    const write = inner(def.innerType);
    return (value) => (value === undefined ? undefined : write(value));
  }
  if (def.type === "array") {
    const write = inner(def.element);
    const writeItem = (item: unknown) => write(item) ?? refuse("an item", item);
    return (value) => (Array.isArray(value) ? `[${Array.from(value, writeItem).join()}]` : refuse("an array", value));
  }
  if (def.type === "object" && !def.catchall) return objectWriter(def.shape, omits);
  return otherWriter(schema, omits);
}

/** Keeps the JSON of a long text for a moment, because an article's text is written for the answer and again for its ETag. */
function textWriter(): Writer {
  const none = { text: "", json: '""' };
  let last = none;
  const forget = () => {
    last = none;
  };
  return (value) => {
    if (typeof value !== "string") return refuse("string", value);
    if (value.length < LONG) return JSON.stringify(value);
    if (value !== last.text) {
      if (last === none) setImmediate(forget);
      last = { text: value, json: JSON.stringify(value) };
    }
    return last.json;
  };
}

/** Checks rare types with Zod. */
function otherWriter(schema: z.core.$ZodType, omits: readonly string[]): Writer {
  const replace = (name: string, value: unknown) => (omits.includes(name) ? undefined : value);
  return (value) => JSON.stringify((schema as z.ZodType).parse(value), replace);
}

function objectWriter(shape: z.core.$ZodShape, omits: readonly string[]): Writer {
  let fields: { name: string; start: string; write: Writer }[] | undefined;
  const frozen = new WeakMap<object, string>();
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return refuse("an object", value);
    const known = frozen.get(value);
    if (known !== undefined) return known;
    // Not earlier, because a shape can contain itself.
    fields ??= Object.entries(shape)
      .filter(([name]) => !omits.includes(name))
      .map(([name, field]) => ({ name, start: `${JSON.stringify(name)}:`, write: writerOf(field, omits) }));
    let json = "";
    let at = "";
    try {
      for (const { name, start, write } of fields) {
        at = name;
        const field = write((value as Record<string, unknown>)[name]);
        if (field !== undefined) json += (json === "" ? "{" : ",") + start + field;
      }
    } catch (error) {
      throw new Error(`${at}: ${(error as Error).message}`, { cause: error });
    }
    json = json === "" ? "{}" : `${json}}`;
    if (Object.isFrozen(value)) frozen.set(value, json);
    return json;
  };
}

function refuse(expected: string, value: unknown): never {
  const found = value === null ? "null" : Array.isArray(value) ? "an array" : typeof value;
  throw new Error(`expected ${expected}, got ${found}`);
}
