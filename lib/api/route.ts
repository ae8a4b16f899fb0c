import { env } from "@/lib/env";
import { siteOfHost, workspaceUrl } from "@/lib/http/host";
import { currentRequest, duringRequest, newRequest, noteOfRequest } from "@/lib/http/request";
import { log } from "@/lib/log";
import { answerError } from "./answer";
import { HttpError, httpErrorOf } from "./errors";
import { workspaceOfSubdomain } from "./keys";
import type { Call, Operation } from "./operation";

type Method = "GET" | "HEAD" | "OPTIONS" | "POST" | "PUT" | "PATCH" | "DELETE";

export interface Handler {
  (request: Request, context: { params: Promise<Record<string, string> | undefined> }): Promise<Response>;
  operations: Operations;
}

type Operations = Partial<Record<"GET" | "PATCH", Operation>>;

/** A plain function instead of an operation needs no key. */
type Answer = (call: Call) => Promise<Response>;

/** Bytes (contract 29). */
const URL_LIMIT = 8 * 1024;

/** Handles every method of a path. Checks URL, host, path and method, in that order, before the key. */
export function route(
  answers: Partial<Record<"GET" | "PATCH", Answer>>,
  successor?: (path: string) => string,
): Record<Method, Handler> {
  const methods = Object.keys(answers);
  if (answers.GET) methods.push("HEAD");
  const allow = [...methods, "OPTIONS"].join(", ");

  const answerAll = async (request: Request, context: { params: Promise<Record<string, string> | undefined> }) => {
    return answering(request, async (requestId, answerHeaders) => {
      const nameSuccessor = (home: string) => {
        const path = successor?.(new URL(request.url).pathname);
        if (path) answerHeaders.set("Link", `<${home}${path}>; rel="successor-version"`);
      };
      nameSuccessor("");
      assertUrl(request.url);
      const site = siteOfHost(request.headers.get("host"), env().baseUrl);
      const workspace = await workspaceOfSubdomain(site.kind === "subdomain" ? site.subdomain : undefined);
      noteOfRequest({ workspaceId: workspace.id });
      const home = workspaceUrl(workspace.subdomain, env().baseUrl);
      nameSuccessor(home);
      if (methods.length === 0) {
        throw new HttpError(404, `No such API path. See ${home}/developers for all paths.`);
      }
      if (request.method === "OPTIONS") return new Response(null, { status: 204, headers: { Allow: allow } });
      const answer = answers[(request.method === "HEAD" ? "GET" : request.method) as "GET" | "PATCH"];
      if (!answer) {
        throw new HttpError(405, `This path does not support ${request.method}. Use one of ${allow}.`, {
          Allow: allow,
        });
      }
      // Next passes undefined for a path without parameters.
      const params = (await context.params) ?? {};
      return answer({ request, requestId, workspace, params, answerHeaders });
    });
  };
  const operations: Operations = Object.fromEntries(Object.entries(answers).filter(([, answer]) => "spec" in answer));
  const handler: Handler = Object.assign(answerAll, { operations });
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

/** Contract 29 and 30, for requests that did not pass the front door. */
function assertUrl(url: string): void {
  const { pathname, search } = new URL(url);
  if (pathname.length + search.length > URL_LIMIT)
    throw new HttpError(414, "The URL is over 8 KB. Send a shorter one.");
  try {
    if (!decodeURIComponent(pathname + search).includes("\0")) return;
  } catch {}
  throw new HttpError(400, "The URL is not properly percent-encoded. Encode it as UTF-8, without NUL characters.");
}

/** Turns errors into answers, and adds the headers of every answer (contract 60). */
async function answering(
  request: Request,
  work: (requestId: string, answerHeaders: Headers) => Promise<Response>,
): Promise<Response> {
  // The front door has already registered the request. Through Next alone it is registered here.
  const known = currentRequest();
  const own = known ?? newRequest(request.headers.get("x-request-id"), "api");
  const answerHeaders = new Headers();
  const answered = () =>
    work(own.id, answerHeaders).catch((error: unknown) =>
      answerError(
        httpErrorOf(error, (cause) => log().error({ err: cause, request_id: own.id }, "An API request failed.")),
      ),
    );
  const answer = await (known ? answered() : duringRequest(own, answered));
  if (!known) own.ended = true;
  for (const [name, value] of answerHeaders) answer.headers.set(name, value);
  answer.headers.set("X-Request-Id", own.id);
  answer.headers.set("X-Content-Type-Options", "nosniff");
  return request.method === "HEAD" ? new Response(null, answer) : answer;
}
