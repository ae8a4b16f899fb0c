import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { env } from "@/lib/env";

/** An answer of the external API as it was received. */
export interface Exchange {
  method: string;
  /** The whole path, with or without its query. */
  path: string;
  status: number;
  headers: Headers;
  /** The parsed JSON, or null without a body. */
  body: unknown;
}

type Schema = Record<string, unknown>;

interface Header {
  required?: boolean;
  schema: Schema;
}

/** An answer as a document describes it. Without a schema, it has no body. */
interface Answer {
  headers: Record<string, Header>;
  schema: Schema | null;
}

type Answers = Record<number, Answer>;

interface Version {
  name: string;
  basePath: string;
  /** Answers of any path, even an unknown one. */
  anywhere: Answers;
  paramsAt(pathname: string): Record<string, string>;
  /** Answers by method, or undefined for an unknown path. */
  operationsAt(pathname: string): Record<string, Answers> | undefined;
}

/**
 * Checks an answer of the external API against the committed document of its version (docs/openapi): status, headers
 * and body must match it exactly. The document's prose about all paths is coded here: HEAD, OPTIONS, 405, unknown
 * paths, and the document's own path.
 * @throws Error that names everything undocumented
 */
export function assertDocumented({ method, path, status, headers, body }: Exchange): void {
  const pathname = URL.canParse(path, "http://any") ? new URL(path, "http://any").pathname : path;
  const { version, answers } = answersTo(method, pathname);
  const answer = isUnparsed(status, headers) ? unparsed : answers[status];
  const problems = answer
    ? [...headerProblems(answer, status, headers), ...bodyProblems(answer, method, headers, body)]
    : [`the status is none of ${Object.keys(answers).join(", ")}`];
  if (problems.length === 0) return;
  throw new Error(
    [
      `${method} ${path} answered ${status} otherwise than docs/openapi/${version}.json describes:`,
      ...problems,
      `The body was: ${JSON.stringify(body).slice(0, 1000)}`,
    ].join("\n"),
  );
}

/** The parameters that a path has according to the documents, as the front door reads them. */
export function paramsAt(pathname: string): Record<string, string> {
  versions ??= ["v1", "v2"].map(readVersion);
  const version = versions.find(({ basePath }) => pathname.startsWith(`${basePath}/`));
  return version?.paramsAt(pathname) ?? {};
}

/** Whether the parser rejected the bytes before there was a request. The connection ends, and the answer names nothing. */
const isUnparsed = (status: number, headers: Headers) =>
  [400, 408, 431].includes(status) && headers.get("connection") === "close" && !headers.has("x-request-id");

const unparsed: Answer = {
  headers: {
    "X-Content-Type-Options": { required: true, schema: { const: "nosniff" } },
    "Cache-Control": { required: true, schema: { const: "no-store" } },
  },
  schema: {
    type: "object",
    properties: { error: { type: "string" } },
    required: ["error"],
    additionalProperties: false,
  },
};

/** Answers by status. An unknown path is answered like one of the newest version. */
function answersTo(method: string, pathname: string): { version: string; answers: Answers } {
  versions ??= ["v1", "v2"].map(readVersion);
  const version = versions.find(({ basePath }) => pathname.startsWith(`${basePath}/`));
  const operations = version?.operationsAt(pathname);
  if (!version || !operations) return { version: "v2", answers: versions.at(-1)?.anywhere ?? {} };
  const { name, anywhere } = version;
  const operation = operations[method === "HEAD" ? "GET" : method];
  if (operation) return { version: name, answers: operation };

  const { headers, schema } = anywhere[404] as Answer;
  const Allow = {
    required: true,
    schema: { const: [...Object.keys(operations), ...(operations.GET ? ["HEAD"] : []), "OPTIONS"].join(", ") },
  };
  const own: Answers =
    method === "OPTIONS"
      ? { 204: { headers: { ...uncached(headers), Allow }, schema: null } }
      : { 405: { headers: { ...headers, Allow }, schema } };
  return { version: name, answers: { ...anywhere, ...own } };
}

let versions: Version[] | undefined;

const without = (headers: Answer["headers"], ...names: string[]) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));
/** Nobody caches an answer to OPTIONS, so it needs no such headers. */
const uncached = ({ "Cache-Control": cacheControl, Vary, ...headers }: Answer["headers"]): Answer["headers"] => ({
  ...headers,
  "Cache-Control": { ...cacheControl, required: false } as Header,
  Vary: { ...Vary, required: false } as Header,
});

/** Headers that a transport adds. Clients decompress automatically. */
const transport = [
  ...["connection", "content-encoding", "content-length", "content-type", "date", "keep-alive", "transfer-encoding"],
];

/** Statuses that need a valid key. The document cannot say that limits are always included. */
const toGoodKeys = [200, 201, 304, 403, 406, 410, 412, 413, 415, 422];

function headerProblems(answer: Answer, status: number, headers: Headers): string[] {
  const tellsLimits = toGoodKeys.includes(status) && env().rateLimits.RATE_LIMIT_KEY > 0;
  const documented = new Map(Object.entries(answer.headers).map(([name, header]) => [name.toLowerCase(), header]));
  const others = [...headers.keys()].filter((name) => !documented.has(name) && !transport.includes(name));
  const missing = [...documented].filter(
    ([name, { required }]) => (required || (tellsLimits && name.startsWith("ratelimit"))) && !headers.has(name),
  );
  const wrong = [...documented].filter(([name, { schema }]) => {
    const value = headers.get(name);
    return value !== null && !validatorOf(schema)(schema.type === "integer" ? Number(value) : value);
  });
  return [
    ...others.map((name) => `the header ${name} is not documented`),
    ...missing.map(([name]) => `the header ${name} is missing`),
    ...wrong.map(([name]) => `the header ${name} is ${headers.get(name)}`),
  ];
}

function bodyProblems({ schema }: Answer, method: string, headers: Headers, body: unknown): string[] {
  if (schema === null || method === "HEAD") return body === null ? [] : ["there is a body"];
  const type = headers.get("content-type");
  if (!/^application\/json(;|$)/.test(type ?? "")) return [`the content type is ${type}`];
  const validate = validatorOf(schema);
  if (validate(body)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `the body${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }));
const validators = new WeakMap<Schema, ValidateFunction>();

function validatorOf(schema: Schema): ValidateFunction {
  const validator = validators.get(schema) ?? ajv.compile(schema);
  validators.set(schema, validator);
  return validator;
}

/** Reads the document of a version with every object closed, so that an undocumented field fails. */
function readVersion(name: string): Version {
  const text = readFileSync(join(import.meta.dirname, `../docs/openapi/${name}.json`), "utf8");
  const document = JSON.parse(text, (_, value) =>
    value?.type === "object" && value.properties ? { ...value, additionalProperties: false } : value,
  );
  const { headers, responses, schemas } = document.components;
  ajv.addSchema({ components: { schemas } }, name);

  const answerOf = (documented: any): Answer => {
    const answer = documented.$ref ? responses[lastPart(documented.$ref)] : documented;
    const schema = answer.content?.["application/json"].schema;
    return {
      headers: Object.fromEntries(Object.keys(answer.headers).map((header) => [header, headers[header]])),
      schema: schema ? { $ref: name + schema.$ref } : null,
    };
  };
  const common = (component: string) => answerOf(responses[component]);
  const anywhere: Answers = {
    400: common("BadAddress"),
    404: common("WorkspaceNotFound"),
    414: common("AddressTooLong"),
    500: withoutLimits(common("ServerError")),
    503: withoutLimits(common("Unavailable")),
  };
  const kept = withoutLimits(common("NotModified"));
  // The document is not an operation: it needs no key, and has no size limit.
  const itself: Answers = {
    ...anywhere,
    200: { ...kept, schema: { type: "object", required: ["openapi", "paths"] } },
    304: kept,
    406: withoutLimits(common("NotAcceptable")),
  };

  const basePath = new URL(document.servers[0].url.replace(/\{\w+\}/g, "any")).pathname;
  const paths = Object.entries<Record<string, any>>(document.paths).map(([path, operations]) => ({
    pattern: new RegExp(`^${basePath}${path.replace(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`),
    operations: mapped(operations, ({ responses: documented }) => mapped(documented, answerOf)),
  }));
  // The last one wins, as at the front door (lib/api/http.ts).
  const pathAt = (pathname: string) => paths.findLast(({ pattern }) => pattern.test(pathname));
  return {
    name,
    basePath,
    anywhere,
    paramsAt: (pathname) => mapped({ ...pathAt(pathname)?.pattern.exec(pathname)?.groups }, decoded),
    operationsAt(pathname) {
      if (pathname === `${basePath}/openapi.json`) return { GET: itself };
      const found = pathAt(pathname)?.operations;
      return (
        found && Object.fromEntries(Object.entries(found).map(([method, answers]) => [method.toUpperCase(), answers]))
      );
    },
  };
}

const decoded = (segment: string) => (/%(?![0-9a-f]{2})/i.test(segment) ? segment : decodeURIComponent(segment));
const lastPart = (ref: string) => ref.slice(ref.lastIndexOf("/") + 1);
const withoutLimits = ({ headers, schema }: Answer): Answer => ({
  headers: without(headers, "RateLimit", "RateLimit-Policy"),
  schema,
});
const mapped = <From, To>(node: Record<string, From>, map: (value: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(node).map(([name, value]) => [name, map(value)]));
