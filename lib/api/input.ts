import { z } from "zod";
import type { InvalidField } from "@/lib/errors";
import { nearest } from "@/lib/nearest";
import type { ApiRequest } from "./answer";
import { HttpError } from "./errors";

/** Bytes, counted while reading (contract 29). An operation can set its own limit. */
export const BODY_LIMIT = 64 * 1024;

const wholeNumber = (fallback: number, example: number, description: string) => ({
  description,
  override: ({ jsonSchema }: { jsonSchema: Record<string, unknown> }) => {
    delete jsonSchema.pattern;
    Object.assign(jsonSchema, { type: "integer", minimum: 1, maximum: 2_147_483_647, default: fallback });
    jsonSchema.examples = [example];
  },
});

/** A whole number in a query. An empty value counts as omitted (contract 12). */
const pageNumber = (name: string, fallback: number) =>
  z
    .string()
    .regex(/^\d+$/, { error: () => `${name} must be a whole number of at least 1.` })
    .transform(Number)
    .refine((value) => value >= 1 && value <= 2_147_483_647, {
      error: `${name} must be a whole number from 1 to 2147483647.`,
    })
    .default(fallback);

const pageSize = (more: string) =>
  pageNumber("page_size", 30)
    .transform((size) => Math.min(size, 100))
    .meta(wholeNumber(30, 30, `Items per page, 1 to 100. Larger values return 100${more}.`));

/** The parameter of lists that continue from a cursor. */
export const PageSize = pageSize("");

/** The parameters of every other list (contract 9 to 12). */
export const Paging = z.object({
  page_number: pageNumber("page_number", 1).meta(
    wholeNumber(1, 1, "The page to return, starting at 1. A page past the end has an empty list and correct totals."),
  ),
  page_size: pageSize(", which `pagination.page_size` reports"),
});

export const Pagination = z
  .object({
    total_records: z.int().min(0).describe("The number of items on all pages."),
    total_pages: z.int().min(0).describe("The number of pages. 0 when the list is empty."),
    current_page_number: z.int().min(1).describe("The requested page, even if it is past the end."),
    page_size: z.int().min(1).max(100).describe("The maximum number of items per page."),
  })
  .meta({
    id: "Pagination",
    description:
      "The position of this page in the list. Request the next page while `current_page_number` is below `total_pages`.",
  });

/** `total_pages` of an empty list is 0 (contract 10). */
export function paginationOf(paging: z.output<typeof Paging>, total: number): z.output<typeof Pagination> {
  return {
    total_records: total,
    total_pages: Math.ceil(total / paging.page_size),
    current_page_number: paging.page_number,
    page_size: paging.page_size,
  };
}

export function windowOf(paging: z.output<typeof Paging>): { limit: number; offset: number } {
  return { limit: paging.page_size, offset: (paging.page_number - 1) * paging.page_size };
}

/** A field's `meta({ aliases })` names parameters to read when it is absent. Throws 422 naming every invalid parameter. */
export function queryOf<Schema extends z.ZodObject>(schema: Schema, search: URLSearchParams): z.output<Schema> {
  const values: Record<string, string> = {};
  const twice: InvalidField[] = [];
  for (const [name, field] of Object.entries(schema.shape)) {
    const aliases = ((field as z.ZodType).meta()?.aliases ?? []) as string[];
    const present = [name, ...aliases].find((candidate) => search.get(candidate));
    if (!present) continue;
    values[name] = search.get(present) ?? "";
    if (search.getAll(present).length > 1)
      twice.push({ field: present, code: "invalid", message: `${present} was sent more than once. Send it once.` });
  }
  const result = schema.safeParse(values);
  const fields = [...twice, ...(result.error ? fieldsOf(result.error, values) : [])];
  if (fields.length > 0) throw unprocessable(fields);
  return result.data as z.output<Schema>;
}

/**
 * @param ignored fields that may be sent besides those of the schema, or all others if true
 * @returns the valid fields, and one error for each of the others
 */
export function checkedBody<Schema extends z.ZodObject>(
  schema: Schema,
  body: object,
  ignored: true | readonly string[] = [],
): { data: Partial<z.output<Schema>>; invalid: InvalidField[] } {
  const whole = schema.safeParse(body);
  const unknown = ignored === true ? [] : unknownFields(schema, body, ignored);
  if (whole.success) return { data: whole.data, invalid: unknown };
  const invalid = [...fieldsOf(whole.error, body, true), ...unknown];
  const failing = new Set(invalid.map(({ field }) => field));
  const rest = Object.fromEntries(Object.entries(body).filter(([name]) => !failing.has(name)));
  return { data: (schema.partial().safeParse(rest).data ?? {}) as Partial<z.output<Schema>>, invalid };
}

/** The most unknown fields that an answer names, and the most characters of each. */
const [MOST_UNKNOWN, MOST_OF_NAME] = [20, 100];

/** One error for each field that the schema does not have. A field's `meta({ mistakenFor })` lists names that mean it. */
function unknownFields(schema: z.ZodObject, body: object, ignored: readonly string[]): InvalidField[] {
  const known = Object.keys(schema.shape);
  const unknown = Object.keys(body).filter((name) => !known.includes(name) && !ignored.includes(name));
  return unknown.slice(0, MOST_UNKNOWN).map((name) => {
    const meant = known.find((one) => isMistakenFor(schema.shape[one], name)) ?? nearest(name, known)[0];
    const field = name.slice(0, MOST_OF_NAME);
    const message = `${field} is not a field of this request.${meant ? ` Did you mean ${meant}?` : ""}`;
    return { field, code: "not_allowed" as const, message };
  });
}

function isMistakenFor(field: unknown, name: string): boolean {
  const mistaken = (field as z.ZodType).meta()?.mistakenFor as string[] | undefined;
  return mistaken?.includes(name) ?? (field instanceof z.ZodOptional && isMistakenFor(field.unwrap(), name));
}

/**
 * Throws 415, 413 or 400, in that order (contract 26, 28, 29).
 * @param isOptional whether a request without a body counts as one with `{}`
 * @returns the object, and the bytes that hold it
 */
export async function bodyOf(
  request: Pick<ApiRequest, "headers" | "body">,
  limit = BODY_LIMIT,
  isOptional = false,
): Promise<{ json: object; bytes: Buffer }> {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  const isJson = type === "application/json" || type === "application/merge-patch+json";
  const hasNone =
    isOptional &&
    !type &&
    (await bytesOf(request, 0).then(
      () => true,
      () => false,
    ));
  if (hasNone) return { json: {}, bytes: Buffer.alloc(0) };
  if (!isJson) {
    throw new HttpError("unsupported_media_type", "The body must be JSON. Send Content-Type: application/json.", {
      headers: { "Accept-Patch": "application/json, application/merge-patch+json" },
    });
  }
  const bytes = await bytesOf(request, limit);
  if (isOptional && bytes.length === 0) return { json: {}, bytes };
  let body: unknown;
  try {
    body = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new HttpError("malformed_body", "The body is not valid JSON. Send one JSON object.");
  }
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw new HttpError("malformed_body", "The body is not a JSON object. Send an object, such as {}.");
  }
  return { json: body, bytes };
}

/** @throws HttpError 413 over the limit, 400 when the body was cut off */
export async function bytesOf(request: Pick<ApiRequest, "body">, limit = BODY_LIMIT): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of (request.body ?? []) as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength;
      if (size > limit) throw tooLarge(limit);
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof HttpError ? error : new HttpError("malformed_body", "The body was cut off. Send it again.");
  }
  return Buffer.concat(chunks);
}

/** The answer to a body over an operation's limit in bytes (contract 29). */
export function tooLarge(limit: number): HttpError {
  return new HttpError("body_too_large", `The body is over ${sizeOf(limit)}. Send a smaller one.`);
}

/** Such as "64 KiB" or "2 MiB". */
export function sizeOf(bytes: number): string {
  return bytes < 1024 * 1024 ? `${bytes / 1024} KiB` : `${bytes / 1024 / 1024} MiB`;
}

/** The answer that names every invalid field (contract 20). */
export function unprocessable(fields: InvalidField[]): HttpError {
  return new HttpError("invalid_fields", fields.map((field) => field.message).join(" "), { details: fields });
}

/** The first error of each field. A check may set its code in `params.code`. */
function fieldsOf(error: z.ZodError, input: unknown, isBody = false): InvalidField[] {
  const fields = new Map<string, InvalidField>();
  for (const issue of error.issues) {
    const field = issue.path.join(".");
    if (fields.has(field)) continue;
    const lacks = isBody && issue.code !== "custom" && isMissing(issue, input);
    fields.set(field, { field, code: codeOf(issue, input), message: lacks ? `${field} is required.` : issue.message });
  }
  return [...fields.values()];
}

function codeOf(issue: z.core.$ZodIssue, input: unknown): InvalidField["code"] {
  if (issue.code === "custom" && issue.params?.code) return issue.params.code as InvalidField["code"];
  if (issue.code === "too_big") return "too_long";
  return isMissing(issue, input) ? "required" : "invalid";
}

function isMissing({ path }: z.core.$ZodIssue, input: unknown): boolean {
  const value = path.reduce<unknown>((inside, name) => (inside as Record<PropertyKey, unknown> | null)?.[name], input);
  return path.length > 0 && value === undefined;
}
