/*
 * The parts of an OpenAPI 3.1 document that the reference draws, as docs/openapi holds them.
 */

export interface OpenApi {
  info: { title: string; version: string; description?: string };
  tags?: { name: string; description?: string }[];
  paths: Record<string, Partial<Record<"get" | "patch", OpenApiOperation>> & { parameters?: Ref<OpenApiParameter>[] }>;
  components?: Record<string, Record<string, unknown> | undefined>;
}

export interface OpenApiOperation {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  parameters?: Ref<OpenApiParameter>[];
  requestBody?: Ref<{ description?: string; required?: boolean; content: Content }>;
  responses: Record<string, Ref<OpenApiResponse>>;
}

export interface OpenApiParameter {
  name: string;
  in: "path" | "query" | "header";
  description?: string;
  required?: boolean;
  schema?: Ref<Schema>;
}

export interface OpenApiResponse {
  description: string;
  headers?: Record<string, Ref<{ description?: string; schema?: Ref<Schema> }>>;
  content?: Content;
}

export interface Schema {
  type?: string | string[];
  format?: string;
  description?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  examples?: unknown[];
  properties?: Record<string, Ref<Schema>>;
  required?: string[];
  items?: Ref<Schema>;
  anyOf?: Ref<Schema>[];
  oneOf?: Ref<Schema>[];
  allOf?: Ref<Schema>[];
}

/** A thing, or a reference to one in the same document. Keywords beside a reference replace what it points to. */
export type Ref<Thing> = Thing | ({ $ref: string } & Partial<Thing>);

type Examples = Record<string, Ref<{ summary?: string; value?: unknown }>>;
type Content = Record<string, { schema?: Ref<Schema>; example?: unknown; examples?: Examples } | undefined>;

/**
 * What a thing of the document says, its references followed.
 * @throws Error when a reference leads nowhere: the document is ours, so that is a mistake in it
 */
export function resolved<Thing extends object>(document: OpenApi, thing: Ref<Thing>): Thing {
  if (!("$ref" in thing)) return thing;
  const { $ref, ...beside } = thing;
  let target: unknown = document;
  for (const name of $ref.replace(/^#\//, "").split("/")) {
    target = (target as Record<string, unknown> | undefined)?.[name.replaceAll("~1", "/").replaceAll("~0", "~")];
  }
  if (!target) throw new Error(`The OpenAPI document has nothing at ${$ref}.`);
  return { ...resolved(document, target as Ref<Thing>), ...beside };
}

/** The example of a body or a header: its own, the first of several, or undefined. */
export function exampleOf(
  document: OpenApi,
  holder: { example?: unknown; examples?: Examples; schema?: Ref<Schema> } | undefined,
): unknown {
  if (!holder) return undefined;
  if (holder.example !== undefined) return holder.example;
  const [first] = Object.values(holder.examples ?? {});
  if (first) return resolved(document, first).value;
  const schema = holder.schema && resolved(document, holder.schema);
  return schema?.examples?.[0];
}
