import { env } from "@/lib/env";
import { siteOfHost, workspaceUrl } from "@/lib/http/host";
import { currentRequest, duringRequest, newRequest, noteOfRequest } from "@/lib/http/request";
import { log } from "@/lib/log";
import { type ApiAnswer, type ApiRequest, answerError, targetOf } from "./answer";
import { HttpError, httpErrorOf } from "./errors";
import { enter } from "./keys";
import type { Call, Operation } from "./operation";
import type { LimitedName } from "./rate-limit";

/** The methods that an operation can have, in the order of documents. */
export const operationMethods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
export type OperationMethod = (typeof operationMethods)[number];

type Method = OperationMethod | "HEAD" | "OPTIONS";

export interface Handler {
  /** The same without a `Request` and a `Response`, which cost more than a kept answer (lib/api/http.ts). */
  answer(request: ApiRequest, params: Record<string, string>): Promise<ApiAnswer>;
  (request: Request, context: { params: Promise<Record<string, string> | undefined> }): Promise<Response>;
  operations: Operations;
}

type Operations = Partial<Record<OperationMethod, Operation>>;

/** An older version, which has the operations of the next one. */
export interface Former {
  /** Maps a path to the next version's. */
  successor(path: string): string;
  /** Fields of the next version's answers that this version does not have. */
  omits: readonly string[];
  /** Query parameters of the next version that are unknown to this version. */
  ignores: readonly string[];
}

/** A plain function instead of an operation needs no key. */
type Answering = (call: Call) => Promise<ApiAnswer>;

/** Bytes (contract 29). */
const URL_LIMIT = 8 * 1024;

/** Handles every method of a path. Checks URL, host, path and method, in that order, before the key. */
export function route(answers: Partial<Record<OperationMethod, Answering>>, former?: Former): Record<Method, Handler> {
  const methods: string[] = Object.keys(answers);
  if (answers.GET) methods.push("HEAD");
  const allow = [...methods, "OPTIONS"].join(", ");

  const answerAll = (request: ApiRequest, params: Record<string, string>) =>
    answering(request, !former, async (requestId, answerHeaders) => {
      const nameSuccessor = (home: string) => {
        const path = former?.successor(new URL(request.url).pathname);
        if (path) answerHeaders.set("Link", `<${home}${path}>; rel="successor-version"`);
      };
      nameSuccessor("");
      assertUrl(request.url);
      const site = siteOfHost(request.headers.get("host"), env().baseUrl);
      const answer = answers[(request.method === "HEAD" ? "GET" : request.method) as OperationMethod];
      const spec = answer && "spec" in answer ? (answer as Operation).spec : null;
      const subdomain = site.kind === "subdomain" ? site.subdomain : undefined;
      const entered = await (spec
        ? enter(subdomain, request.headers.get("x-api-key"), limitsOf(spec, request.method))
        : enter(subdomain));
      const { workspace } = entered;
      noteOfRequest({ workspaceId: workspace.id });
      const home = workspaceUrl(workspace.subdomain, env().baseUrl);
      nameSuccessor(home);
      if (methods.length === 0) {
        throw new HttpError("unknown_path", `No such API path. See ${home}/developers for all paths.`);
      }
      if (request.method === "OPTIONS") return { status: 204, headers: new Map([["Allow", allow]]), body: null };
      if (!answer) {
        const message = `This path doesn't support ${request.method}. Use one of ${allow}.`;
        throw new HttpError("method_not_allowed", message, { headers: { Allow: allow } });
      }
      const { omits = [], ignores = [] } = former ?? {};
      return answer({ request, requestId, entered, workspace, params, answerHeaders, omits, ignores });
    });
  const operations: Operations = Object.fromEntries(Object.entries(answers).filter(([, answer]) => "spec" in answer));
  const respond = async (request: Request, context: { params: Promise<Record<string, string> | undefined> }) => {
    // Next compresses what its handlers return, also what is compressed already.
    const asked = new Headers(request.headers);
    asked.delete("accept-encoding");
    const plain = { method: request.method, url: request.url, headers: asked, body: request.body };
    // Next passes undefined for a path without parameters.
    const { status, headers, body } = await answerAll(plain, (await context.params) ?? {});
    return new Response(body as BodyInit | null, { status, headers: [...headers] });
  };
  const handler: Handler = Object.assign(respond, { answer: answerAll, operations });
  return {
    GET: handler,
    HEAD: handler,
    OPTIONS: handler,
    POST: handler,
    PUT: handler,
    PATCH: handler,
    DELETE: handler,
  };
}

function limitsOf({ search }: Operation["spec"], method: string): LimitedName[] {
  if (method !== "GET" && method !== "HEAD") return ["key", "write"];
  return search ? ["key", "search"] : ["key"];
}

/** Contract 29 and 30. */
function assertUrl(url: string): void {
  const target = targetOf(url);
  if (target.length > URL_LIMIT) throw new HttpError("url_too_long", "The URL is over 8 KB. Send a shorter one.");
  try {
    if (!decodeURIComponent(target).includes("\0")) return;
  } catch {}
  throw new HttpError(
    "malformed_url",
    "The URL is not properly percent-encoded. Encode it as UTF-8, without NUL characters.",
  );
}

/** Turns errors into answers, and adds the headers of every answer (contract 60). */
async function answering(
  request: ApiRequest,
  hasCodes: boolean,
  work: (requestId: string, answerHeaders: Map<string, string>) => Promise<ApiAnswer>,
): Promise<ApiAnswer> {
  // The front door has already registered the request. Through Next alone it is registered here.
  const known = currentRequest();
  const own = known ?? newRequest(request.headers.get("x-request-id"), "api");
  const answerHeaders = new Map<string, string>();
  const begin = () => work(own.id, answerHeaders);
  let answer: ApiAnswer;
  try {
    answer = await (known ? begin() : duringRequest(own, begin));
  } catch (error) {
    const report = (cause: unknown) => log().error({ err: cause, request_id: own.id }, "An API request failed.");
    answer = answerError(httpErrorOf(error, report), hasCodes);
  }
  if (!known) own.ended = true;
  for (const [name, value] of answerHeaders) answer.headers.set(name, value);
  answer.headers.set("X-Request-Id", own.id);
  answer.headers.set("X-Content-Type-Options", "nosniff");
  if (request.method === "HEAD") answer.body = null;
  return answer;
}
