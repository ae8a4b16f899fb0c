import { z } from "zod";
import type { ErrorCode } from "@/lib/api/errors";
import type { Operation } from "@/lib/api/operation";
import type { Handler } from "@/lib/api/route";
import { paths as v1 } from "./v1/_document/operations";
import { paths as v2 } from "./v2/_document/operations";

// The lists of operations, for tests that cover each of them.

export interface Listed {
  /** Such as "GET v2/articles/{article_id}". */
  name: string;
  /** The whole path, with its parameters in braces. */
  path: string;
  method: string;
  handler: Handler;
  spec: Operation["spec"];
}

/** Every operation of every version. */
export const listed: Listed[] = Object.entries({ v1, v2 }).flatMap(([version, paths]) =>
  Object.entries(paths as Record<string, Handler>).flatMap(([path, handler]) =>
    Object.entries(handler.operations).map(([method, { spec }]) => ({
      name: `${method} ${version}${path}`,
      path: `/api/external/${version}${path}`,
      method,
      handler,
      spec,
    })),
  ),
);

/** The whole body of an error at this path. Errors of v1 have no code. */
export function refusal(path: string, code: ErrorCode, error: string): object {
  return path.includes("/v1/") ? { error } : { error, code };
}

/** The operations that change something. */
export const writes = listed.filter(({ method }) => method !== "GET");

/** Path parameters whose values are not unique across workspaces, so that none is foreign. */
const withinOwn = ["number", "external_id"];

/** A parameter that identifies something. In the path, any other parameter. Elsewhere, every uuid. */
export interface IdParameter {
  where: "path" | "query" | "body";
  name: string;
}

export function idParametersOf({ spec }: Listed): IdParameter[] {
  const uuids = (shape: z.ZodRawShape = {}) =>
    Object.entries(shape).flatMap(([name, schema]) => {
      const said = z.toJSONSchema(schema as z.ZodType, { io: "input", unrepresentable: "any" });
      return JSON.stringify(said).includes('"format":"uuid"') ? [name] : [];
    });
  return [
    ...Object.keys(spec.params.shape)
      .filter((name) => !withinOwn.includes(name))
      .map((name) => ({ where: "path" as const, name })),
    ...uuids(spec.query.shape).map((name) => ({ where: "query" as const, name })),
    ...uuids(spec.body?.shape).map((name) => ({ where: "body" as const, name })),
  ];
}

/**
 * A URL of an operation, and the body to send there.
 * @param values of parameters by their names. Every path parameter is required
 * @param text for anything else that the query requires
 */
export function requestFor(
  { path, method, spec }: Listed,
  values: Partial<Record<string, string>>,
  text: string,
): { address: string; request: { method: string; body?: Record<string, string> | string } } {
  const address = new URL(
    path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? "")),
    "http://host",
  );
  for (const [name, schema] of Object.entries(spec.query.shape)) {
    const value = values[name] ?? ((schema as z.ZodType).safeParse(undefined).success ? undefined : text);
    if (value !== undefined) address.searchParams.set(name, value);
  }
  const fields = Object.keys(spec.body?.shape ?? {}).flatMap((name) => (values[name] ? [[name, values[name]]] : []));
  const body = spec.file ? text : spec.body && (Object.fromEntries(fields) as Record<string, string>);
  return { address: address.pathname + address.search, request: { method, body } };
}
