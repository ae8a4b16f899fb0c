import { type Field, fieldOf, fieldsOf, textOf } from "./fields";
import {
  type Method,
  methods,
  type OpenApi,
  type OpenApiOperation,
  type OpenApiResponse,
  type Ref,
  resolved,
  type Schema,
} from "./openapi";

export interface Reference {
  /** "v2" */
  version: string;
  /** "/api/external/v2" */
  basePath: string;
  groups: Group[];
  headers: { name: string; description: string; example?: string; everywhere: boolean }[];
}

export interface Group {
  name: string;
  anchor: string;
  description: string;
  operations: ReferenceOperation[];
}

export interface ReferenceOperation {
  /** "list-articles" */
  anchor: string;
  method: Method;
  /** "/api/external/v2/articles/{article_id}" */
  path: string;
  summary: string;
  description: string;
  /** The scopes that the key needs. */
  scopes: string[];
  parameters: Parameter[];
  body: Field[];
  /** Whether a body has to be sent. */
  needsBody: boolean;
  answers: Answer[];
}

export interface Parameter extends Field {
  in: "path" | "query" | "header";
}

export interface Answer {
  status: string;
  description: string;
  /** Without the headers that every answer has. */
  headers: string[];
  fields: Field[];
  example?: unknown;
}

/** Converts a version's OpenAPI document for its page. */
export function referenceOf(document: OpenApi): Reference {
  const version = `v${document.info.version.split(".")[0]}`;
  const basePath = `/api/external/${version}`;
  const operations = Object.entries(document.paths).flatMap(([path, found]) =>
    methods.flatMap((method) => {
      const operation = found[method.toLowerCase() as Lowercase<Method>];
      return operation
        ? [{ tag: operation.tags[0], shown: operationOf(document, basePath + path, method, operation) }]
        : [];
    }),
  );
  const groups = document.tags.map(({ name, description }) => ({
    name,
    anchor: anchorOf(name),
    description,
    operations: operations.filter(({ tag }) => tag === name).map(({ shown }) => shown),
  }));
  const answers = operations.flatMap(({ shown }) => shown.answers);
  const headers = headersOf(document, answers);
  const common = headers.filter(({ everywhere }) => everywhere).map(({ name }) => name);
  for (const answer of answers) answer.headers = answer.headers.filter((name) => !common.includes(name));
  return { version, basePath, groups, headers };
}

function operationOf(document: OpenApi, path: string, method: Method, operation: OpenApiOperation): ReferenceOperation {
  return {
    anchor: anchorOf(operation.operationId),
    method,
    path,
    summary: operation.summary,
    description: operation.description,
    scopes: operation.security.flatMap(({ ApiKey }) => ApiKey ?? []),
    parameters: parametersOf(document, operation),
    body: fieldsOf(document, operation.requestBody?.content["application/json"]?.schema),
    needsBody: operation.requestBody?.required ?? false,
    answers: Object.entries(operation.responses).map(([status, answer]) => answerOf(document, status, answer)),
  };
}

/** Sorts paging parameters and headers last. */
function orderOf({ in: where, required, name }: Parameter): number {
  if (where === "path") return 0;
  if (where === "header") return 4;
  if (required) return 1;
  return name.startsWith("page_") ? 3 : 2;
}

function parametersOf(document: OpenApi, { parameters }: OpenApiOperation): Parameter[] {
  return parameters
    .map((reference): Parameter => {
      const { name, in: where, required = false, schema, description } = resolved(document, reference);
      const field = fieldOf(document, name, schema, required);
      return { ...field, in: where, description: description ?? field.description };
    })
    .sort((one, other) => orderOf(one) - orderOf(other));
}

function answerOf(document: OpenApi, status: string, reference: Ref<OpenApiResponse>): Answer {
  const { description, headers, content } = resolved(document, reference);
  const json = content?.["application/json"];
  return {
    status,
    description,
    headers: Object.keys(headers),
    fields: fieldsOf(document, json?.schema),
    example: json?.example,
  };
}

function headersOf(document: OpenApi, answers: Answer[]): Reference["headers"] {
  const declared = document.components.headers as Record<string, { description: string; schema: Schema }>;
  return Object.entries(declared).map(([name, { description, schema }]) => ({
    name,
    description,
    example: textOf(schema.examples?.[0]),
    everywhere: answers.every(({ headers }) => headers.includes(name)),
  }));
}

/** "list-team-members" for "listTeamMembers". */
function anchorOf(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .replace(/\W+/g, "-")
    .toLowerCase();
}
