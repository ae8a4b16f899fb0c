// The parts of an OpenAPI 3.1 document that the reference shows.

export interface OpenApi {
  info: { version: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Partial<Record<Lowercase<Method>, OpenApiOperation>>>;
  components: Record<string, Record<string, unknown> | undefined>;
}

export const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
export type Method = (typeof methods)[number];

export interface OpenApiOperation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters: Ref<OpenApiParameter>[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, Ref<OpenApiResponse>>;
}

export interface OpenApiParameter {
  name: string;
  in: "path" | "query" | "header";
  description?: string;
  required?: boolean;
  schema: Ref<Schema>;
}

export interface OpenApiResponse {
  description: string;
  headers: Record<string, unknown>;
  content?: Content;
}

export interface Schema {
  type?: string | string[];
  format?: string;
  description?: string;
  enum?: unknown[];
  default?: unknown;
  examples?: unknown[];
  properties?: Record<string, Ref<Schema>>;
  required?: string[];
  items?: Ref<Schema>;
  anyOf?: Schema[];
}

/** Keywords beside `$ref` override those of its target. */
export type Ref<Thing> = Thing | ({ $ref: string } & Partial<Thing>);

type Content = Record<string, { schema: Ref<Schema>; example?: unknown } | undefined>;

/** Follows references. */
export function resolved<Thing extends object>(document: OpenApi, thing: Ref<Thing>): Thing {
  if (!("$ref" in thing)) return thing;
  const { $ref, ...beside } = thing;
  let target: unknown = document;
  for (const name of $ref.replace(/^#\//, "").split("/")) {
    target = (target as Record<string, unknown> | undefined)?.[name];
  }
  if (!target) throw new Error(`The OpenAPI document has nothing at ${$ref}.`);
  return { ...resolved(document, target as Ref<Thing>), ...beside };
}
