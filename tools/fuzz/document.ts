import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The parts of a JSON schema that samples are drawn from. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  enum?: string[];
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  properties?: Record<string, Schema>;
  examples?: unknown[];
}

export interface Parameter {
  name: string;
  in: "query" | "path" | "header";
  required: boolean;
  schema: Schema;
}

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** One operation of a version, or the path of the document itself, which needs no key. */
export interface Operation {
  version: string;
  /** The whole path, its parameters in braces. */
  path: string;
  method: Method;
  parameters: Parameter[];
  /** The fields of its body, or absent when it has no body. */
  fields?: Record<string, Schema>;
  /** Whether its body is a file. */
  isFile: boolean;
  /** The fields that a body must have. */
  requiredFields: string[];
  /** Whether a request may have no body. */
  isBodyOptional: boolean;
  /** In bytes. */
  bodyLimit: number;
  /** The statuses of success. */
  successes: number[];
  needsKey: boolean;
  /** Whether keys that only read may use it. */
  isForReaders: boolean;
}

/** Every operation of both versions, from the committed documents. */
export function operations(): Operation[] {
  return ["v1", "v2"].flatMap(operationsOf);
}

function operationsOf(version: string): Operation[] {
  const file = join(import.meta.dirname, `../../docs/openapi/${version}.json`);
  const document = JSON.parse(readFileSync(file, "utf8"));
  const resolved = <Node extends { $ref?: string }>(node: Node): Node => {
    const parts = node.$ref?.split("/").slice(1) ?? [];
    const target = parts.reduce((inside, part) => inside[part], document);
    return parts.length === 0 ? node : resolved({ ...target, ...node, $ref: target.$ref });
  };
  const base = `/api/external/${version}`;
  const found = Object.entries<Record<string, any>>(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, spec]): Operation => {
      const body = spec.requestBody?.content["application/json"]?.schema;
      const { properties, required = [] } = body ? resolved<Schema & { required?: string[] }>(body) : {};
      const limit = /over (\d+) (KiB|MiB)/.exec(resolved(spec.responses[413] ?? {}).description ?? "");
      return {
        version,
        path: base + path,
        method: method.toUpperCase() as Method,
        parameters: spec.parameters
          .map(resolved)
          .map((parameter: Parameter) => ({ ...parameter, schema: resolved(parameter.schema) })),
        ...(body && { fields: properties }),
        isFile: spec.requestBody !== undefined && !body,
        requiredFields: required,
        isBodyOptional: spec.requestBody?.required === false,
        bodyLimit: Number(limit?.[1] ?? 64) * (limit?.[2] === "MiB" ? 1024 * 1024 : 1024),
        successes: [200, 201].filter((status) => spec.responses[status]),
        needsKey: true,
        isForReaders: (spec.security[0].ApiKey as string[]).every(
          (scope) => scope === "public" || scope.endsWith(".read"),
        ),
      };
    }),
  );
  return [
    ...found,
    {
      ...{
        version,
        path: `${base}/openapi.json`,
        method: "GET",
        parameters: [],
        needsKey: false,
        isForReaders: true,
        isFile: false,
      },
      ...{ requiredFields: [], isBodyOptional: false, bodyLimit: 0, successes: [200] },
    } satisfies Operation,
  ];
}
