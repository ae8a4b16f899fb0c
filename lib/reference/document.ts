import { type Field, fieldOf, fieldsOf, textOf } from "./fields";
import { exampleOf, type OpenApi, type OpenApiOperation, type OpenApiResponse, type Ref, resolved } from "./openapi";

/** A version of the external API, as its page shows it. */
export interface Reference {
  /** "v2" */
  version: string;
  /** What its paths begin with: "/api/external/v2". */
  basePath: string;
  groups: Group[];
  /** Every header that an answer may carry. */
  headers: { name: string; description: string; example?: string; everywhere: boolean }[];
  /** Every status that some operation answers, each once. */
  statuses: { status: string; description: string }[];
}

export interface Group {
  name: string;
  /** The anchor of its heading. */
  anchor: string;
  description: string;
  operations: ReferenceOperation[];
}

export interface ReferenceOperation {
  /** The anchor of its heading: "list-articles". */
  anchor: string;
  method: "GET" | "PATCH";
  /** From the root of the host, with parameters in braces: "/api/external/v2/articles/{article_id}". */
  path: string;
  summary: string;
  description: string;
  permission: "read" | "read_write";
  /** Those of the path, then of the query, then headers. */
  parameters: Parameter[];
  /** The fields of what is sent, none where nothing is. */
  body: Field[];
  answers: Answer[];
}

export interface Parameter extends Field {
  in: "path" | "query" | "header";
}

export interface Answer {
  status: string;
  description: string;
  /** The names of the headers that not every answer has. */
  headers: string[];
  fields: Field[];
  /** A body as it could be answered; undefined where there is none. */
  example?: unknown;
}

/** Reads a version's OpenAPI document into what its page shows, in the document's order. */
export function referenceOf(document: OpenApi): Reference {
  const version = `v${document.info.version.split(".")[0]}`;
  const basePath = `/api/external/${version}`;
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    (["get", "patch"] as const).flatMap((method) => {
      const operation = methods[method];
      return operation
        ? [{ tag: operation.tags?.[0] ?? "", shown: operationOf(document, basePath + path, method, operation) }]
        : [];
    }),
  );
  const groups = (document.tags ?? []).map(({ name, description = "" }) => ({
    name,
    anchor: anchorOf(name),
    description,
    operations: operations.filter(({ tag }) => tag === name).map(({ shown }) => shown),
  }));
  const answers = operations.flatMap(({ shown }) => shown.answers);
  const headers = headersOf(document, answers);
  const common = headers.filter(({ everywhere }) => everywhere).map(({ name }) => name);
  for (const answer of answers) answer.headers = answer.headers.filter((name) => !common.includes(name));
  return { version, basePath, groups, headers, statuses: statusesOf(answers) };
}

function operationOf(
  document: OpenApi,
  path: string,
  method: "get" | "patch",
  operation: OpenApiOperation,
): ReferenceOperation {
  const body = operation.requestBody && resolved(document, operation.requestBody);
  return {
    anchor: anchorOf(operation.operationId ?? operation.summary ?? path),
    method: method === "get" ? "GET" : "PATCH",
    path,
    summary: operation.summary ?? path,
    description: operation.description ?? "",
    permission: "403" in operation.responses ? "read_write" : "read",
    parameters: parametersOf(document, operation),
    body: fieldsOf(document, body?.content["application/json"]?.schema),
    answers: Object.entries(operation.responses).map(([status, answer]) => answerOf(document, status, answer)),
  };
}

/** Where a parameter stands: what the call is about first, where in the list and how it is sent last. */
function placeOf({ in: where, required, name }: Parameter): number {
  if (where === "path") return 0;
  if (where === "header") return 4;
  if (required) return 1;
  return name.startsWith("page_") ? 3 : 2;
}

function parametersOf(document: OpenApi, { parameters = [] }: OpenApiOperation): Parameter[] {
  return parameters
    .map((given): Parameter => {
      const { name, in: where, required = false, schema = {}, description } = resolved(document, given);
      const field = fieldOf(document, name, schema, required);
      return { ...field, in: where, description: description ?? field.description };
    })
    .sort((one, other) => placeOf(one) - placeOf(other));
}

function answerOf(document: OpenApi, status: string, given: Ref<OpenApiResponse>): Answer {
  const { description, headers = {}, content } = resolved(document, given);
  const json = content?.["application/json"];
  return {
    status,
    description,
    headers: Object.keys(headers),
    fields: fieldsOf(document, json?.schema),
    example: exampleOf(document, json),
  };
}

function headersOf(document: OpenApi, answers: Answer[]): Reference["headers"] {
  const declared = document.components?.headers ?? {};
  return Object.entries(declared as Record<string, { description?: string; schema?: object }>).map(
    ([name, header]) => ({
      name,
      description: header.description ?? "",
      example: textOf(exampleOf(document, header)),
      everywhere: answers.every(({ headers }) => headers.includes(name)),
    }),
  );
}

/** Of each status the longest description, which is that of the operation with the most reasons for it. */
function statusesOf(answers: Answer[]): Reference["statuses"] {
  const found = new Map<string, string>();
  for (const { status, description } of answers) {
    if (description.length > (found.get(status) ?? "").length) found.set(status, description);
  }
  return [...found]
    .map(([status, description]) => ({ status, description }))
    .sort((a, b) => a.status.localeCompare(b.status));
}

/** "listTeamMembers" and "Team members" as they stand in an address. */
function anchorOf(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .replace(/\W+/g, "-")
    .toLowerCase();
}
