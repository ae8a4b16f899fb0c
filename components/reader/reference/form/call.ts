import type { Parameter, ReferenceOperation } from "@/lib/reference/document";
import type { Field } from "@/lib/reference/fields";
import type { Method } from "@/lib/reference/openapi";

export type Callable = Pick<ReferenceOperation, "method" | "path" | "summary" | "needsBody"> & {
  parameters: Pick<Parameter, "name" | "in" | "type" | "values" | "required" | "example">[];
  body: Pick<Field, "name" | "type" | "values" | "example">[];
};

/** Inputs by name, such as "query:page_size" or "body:email". Empty ones are not sent. */
export type Typed = Record<string, string>;

export interface Call {
  method: Method;
  /** Path and query. */
  address: string;
  headers: Record<string, string>;
  body?: string;
}

/** A missing path parameter stays visible, in braces. */
export function callOf({ method, path, parameters, body, needsBody }: Callable, typed: Typed): Call {
  const filled = path.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = typed[`path:${name}`];
    return value ? encodeURIComponent(value) : whole;
  });
  const sent = (place: string) =>
    parameters.flatMap(({ name, in: where }): [string, string][] => {
      const value = typed[`${place}:${name}`];
      return where === place && value ? [[name, value]] : [];
    });
  const query = new URLSearchParams(sent("query")).toString();
  const fields = body.flatMap(({ name, type }): [string, unknown][] => {
    const value = typed[`body:${name}`];
    return value
      ? [[name, /^(boolean|integer|number|array|object)/.test(type) ? (parsed(value) ?? value) : value]]
      : [];
  });
  const sendsBody = needsBody || fields.length > 0;
  return {
    method,
    address: query ? `${filled}?${query}` : filled,
    headers: {
      ...Object.fromEntries(sent("header")),
      ...(sendsBody && { "Content-Type": "application/json" }),
    },
    body: sendsBody ? JSON.stringify(Object.fromEntries(fields)) : undefined,
  };
}

export type Outcome =
  | {
      kind: "answer";
      status: number;
      reason: string;
      ms: number;
      headers: [string, string][];
      text: string;
      json: unknown;
    }
  | { kind: "failure"; message: string };

/** Sends a call to this host with the key, but without cookies and cache. */
export async function sent({ address, ...call }: Call, key: string): Promise<Outcome> {
  const start = performance.now();
  try {
    const response = await fetch(address, {
      ...call,
      headers: { ...call.headers, Accept: "application/json", ...(key && { "X-Api-Key": key }) },
      credentials: "omit",
      cache: "no-store",
      redirect: "error",
    });
    const text = await response.text();
    const ms = Math.round(performance.now() - start);
    const { status, statusText: reason } = response;
    return { kind: "answer", status, reason, ms, headers: [...response.headers], text, json: parsed(text) };
  } catch {
    return {
      kind: "failure",
      message: "Can't reach the server. Check your connection or your proxy, then send it again.",
    };
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
