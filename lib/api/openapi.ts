import { z } from "zod";
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from "zod-openapi";
import { env } from "@/lib/env";
import { workspaceUrl } from "@/lib/http/host";
import { acceptsJson, answerConditional, contentOf } from "./answer";
import { HttpError } from "./errors";
import { answersOf, commonAnswers, headerComponents } from "./openapi.answers";
import type { Call, Operation } from "./operation";
import { type Former, type Handler, type OperationMethod, route } from "./route";

export interface DocumentedVersion {
  /** Such as "/api/external/v2". */
  basePath: string;
  info: { title: string; version: string; summary: string; description: string };
  tags: { name: string; description: string }[];
  /** By path below `basePath`, with parameters in braces. */
  paths: Record<string, Handler>;
  former?: Former;
}

export type OpenApiDocument = ReturnType<typeof createDocument>;

/** The server in the repository's copy of the document, which belongs to no installation. */
const anyServer = (basePath: string) => ({
  url: `https://{subdomain}.{domain}${basePath}`,
  description: "A workspace. Its subdomain comes before the installation's domain.",
  variables: {
    subdomain: { default: "your-subdomain", description: "The workspace's subdomain." },
    domain: { default: "example.com", description: "The domain of the installation, with its port if it has one." },
  },
});

export function openApiDocument(version: DocumentedVersion): OpenApiDocument {
  const { basePath, info, tags, paths, former } = version;
  const common = commonAnswers(former !== undefined);
  const specs = Object.values(paths).flatMap(({ operations }) => Object.values(operations).map(({ spec }) => spec));
  const isUsed = (header: keyof typeof headerComponents) =>
    header === "Link" ? former !== undefined : header !== "Location" || specs.some(({ creates }) => creates);
  const document = createDocument(
    {
      openapi: "3.1.1",
      info: { ...info, license: { name: "MIT", identifier: "MIT" } },
      servers: [anyServer(basePath)],
      security: [{ ApiKey: [] }],
      tags,
      paths: Object.fromEntries(
        Object.entries(paths).map(([path, { operations }]) => [
          path,
          Object.fromEntries(
            Object.entries(operations).map(([method, operation]) => [
              method.toLowerCase(),
              described(method as OperationMethod, path, operation, version, common),
            ]),
          ),
        ]),
      ) satisfies ZodOpenApiPathsObject,
      components: {
        headers: Object.fromEntries(
          Object.entries(headerComponents).filter(([name]) => isUsed(name as keyof typeof headerComponents)),
        ),
        parameters: headerParameters,
        securitySchemes: {
          ApiKey: {
            type: "apiKey",
            in: "header",
            name: "X-Api-Key",
            description:
              "A key of the workspace, created in its settings. Treat it like a password and keep it on servers.",
          },
        },
      },
    },
    { override: withoutInternals },
  );
  // The override above does not see what is written beside a $ref.
  const omitted = ["mistakenFor", ...(former?.omits ?? [])];
  const without = (key: string, value: unknown) => withoutFields(omitted, key, withoutClosedObjects(key, value));
  return JSON.parse(JSON.stringify(document, without)) as OpenApiDocument;
}

const headerParameters = {
  "If-None-Match": {
    name: "If-None-Match",
    in: "header" as const,
    description:
      "The `ETag` of a response you still have. If nothing has changed since, the response is a 304 without a body.",
    schema: { type: "string" as const, examples: ['W/"Kq5sNclPz7QV2-lfIqYXUw8cIDM"'] },
  },
  "If-Match": {
    name: "If-Match",
    in: "header" as const,
    description:
      "The `ETag` of the response that the change is based on. If the resource has changed since, the response is a 412. The prefix `W/` is optional.",
    schema: { type: "string" as const, examples: ['W/"Kq5sNclPz7QV2-lfIqYXUw8cIDM"'] },
  },
  "Idempotency-Key": {
    name: "Idempotency-Key",
    in: "header" as const,
    description:
      "A string that you choose for this request, such as a UUID. If you repeat the request with the same `Idempotency-Key` within 24 hours, nothing more is changed, and you get the first response with `Idempotency-Replayed: true`.",
    schema: {
      type: "string" as const,
      pattern: "^[\\x21-\\x7e]{1,255}$",
      examples: ["8e03978e-40d5-43e8-bc93-6894a57f9324"],
    },
  },
  "X-Request-Id": {
    name: "X-Request-Id",
    in: "header" as const,
    description: "Your own ID for this request. The response repeats it, and the server logs it.",
    schema: { type: "string" as const, pattern: "^[\\w.:-]{1,100}$", examples: ["sync-2026-01-31:17"] },
  },
};

function described(
  method: OperationMethod,
  path: string,
  { spec }: Operation,
  { basePath, former }: DocumentedVersion,
  common: ReturnType<typeof commonAnswers>,
): ZodOpenApiOperationObject {
  const next =
    former && `\n\nIts successor is \`${method} ${former.successor(basePath + path)}\`, which can return more fields.`;
  const header = (name: keyof typeof headerParameters) => ({ $ref: `#/components/parameters/${name}` });
  return {
    operationId: spec.operationId,
    tags: [spec.tag],
    summary: spec.summary,
    description: spec.description + (next ?? ""),
    deprecated: false,
    security: [{ ApiKey: spec.scope ? [spec.scope] : [] }],
    requestParams: { path: spec.params, query: without(former?.ignores ?? [], spec.query) },
    parameters: headersOf(method, path, spec).map(header),
    ...(spec.body && {
      requestBody: {
        required: !spec.isBodyOptional,
        description: `${bodyDescriptions[method]} ${othersOf(spec)}`,
        content: Object.fromEntries(
          ["application/json", "application/merge-patch+json"].map((type) => [type, { schema: spec.body }]),
        ),
      },
    }),
    ...(spec.file && { requestBody: fileBody }),
    responses: answersOf(common, method, path, spec),
  };
}

const binary = { type: "string" as const, format: "binary" };

const fileBody = {
  required: true,
  description:
    "The file, as the body or as the `file` field of a form. The file's type is detected from its content, not taken from a header.",
  content: {
    "*/*": { schema: binary },
    "multipart/form-data": {
      schema: {
        type: "object" as const,
        properties: { file: { ...binary, description: "The file, with its name." } },
        required: ["file"],
      },
    },
  },
};

const bodyDescriptions: Record<OperationMethod, string> = {
  GET: "",
  POST: "The fields.",
  PUT: "The fields.",
  PATCH: "The changes. Absent fields stay as they are.",
  DELETE: "The options.",
};

function othersOf({ ignored }: Operation["spec"]): string {
  if (ignored === true) return "Unknown and read-only fields are ignored.";
  return `${ignored ? "Read-only fields are ignored unless noted. " : ""}Unknown fields are refused.`;
}

function without(names: readonly string[], query: z.ZodObject): z.ZodObject {
  return z.object(Object.fromEntries(Object.entries(query.shape).filter(([name]) => !names.includes(name))));
}

/** `If-Match` needs a resource that the path names and a GET returns. */
function headersOf(
  method: OperationMethod,
  path: string,
  { isGone }: Operation["spec"],
): (keyof typeof headerParameters)[] {
  if (method === "GET") return ["If-None-Match", "X-Request-Id"];
  return [...(path.includes("{") && !isGone ? (["If-Match"] as const) : []), "Idempotency-Key", "X-Request-Id"];
}

/** Removes internals of our schemas, and patterns that repeat a format. */
function withoutInternals({ jsonSchema }: { jsonSchema: Record<string, unknown> }): void {
  delete jsonSchema.aliases;
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}

/** Answers may get more fields within a version (contract 64), so the document must not forbid them. */
function withoutClosedObjects(key: string, value: unknown): unknown {
  return key === "additionalProperties" && value === false ? undefined : value;
}

/** Removes fields from schemas and examples. */
function withoutFields(fields: readonly string[], key: string, value: unknown): unknown {
  if (fields.includes(key)) return undefined;
  return key === "required" && Array.isArray(value) ? value.filter((name: string) => !fields.includes(name)) : value;
}

/** Serves a version's document without a key. It is built once. Only the server URL depends on the workspace. */
export function documentRoute(version: DocumentedVersion): ReturnType<typeof route> {
  let built: { text: string; servers: string } | undefined;
  const get = async ({ request, workspace }: Pick<Call, "request" | "workspace">) => {
    if (!acceptsJson(request.headers.get("accept"))) throw notJson();
    if (!built) {
      const document = openApiDocument(version);
      built = { text: JSON.stringify(document), servers: JSON.stringify(document.servers) };
    }
    const url = workspaceUrl(workspace.subdomain, env().baseUrl) + version.basePath;
    const own = JSON.stringify([{ url, description: "This workspace." }]);
    return answerConditional(request, contentOf(built.text.replace(built.servers, () => own)));
  };
  return route({ GET: get }, version.former);
}

const notJson = () =>
  new HttpError("not_acceptable", "The document is JSON. Send Accept: application/json, or no Accept header.");
