import { env } from "@/lib/env";
import { siteOfHost, workspaceUrl } from "@/lib/host";
import { log } from "@/lib/log";
import { currentRequest, duringRequest, newRequest, noteOfRequest } from "@/lib/request";
import { answerError } from "./answer";
import { HttpError, httpErrorOf } from "./errors";
import { workspaceOfSubdomain } from "./keys";
import type { Operation } from "./operation";

type Method = "GET" | "HEAD" | "OPTIONS" | "POST" | "PUT" | "PATCH" | "DELETE";

/** What a route file exports, and what the front door calls: a function of web standards alone. */
export interface Handler {
  (request: Request, context: { params: Promise<Record<string, string> | undefined> }): Promise<Response>;
  /** What the path does, by method: the reference and the tests walk it. */
  operations: Operations;
}

type Operations = Partial<Record<"GET" | "PATCH", Operation>>;

/** What a path does for a method. One that is no operation asks for no key. */
type Answer = (...asked: Parameters<Operation>) => Promise<Response>;

/** The most bytes of an address (contract 29). */
const URL_LIMIT = 8 * 1024;

/**
 * The handlers of one path for every method, so that none is left to the framework's own answer. Checks the address,
 * the host, the path and the method, in that order, all of it without a key.
 * @param answers the methods that do something; none for a path that is not of the API (contract 25)
 * @param successor of a version that has one: the path of the same thing in the next version, which answers then name
 */
export function route(
  answers: Partial<Record<"GET" | "PATCH", Answer>>,
  successor?: (path: string) => string,
): Record<Method, Handler> {
  const methods = Object.keys(answers);
  if (answers.GET) methods.push("HEAD");
  const allow = [...methods, "OPTIONS"].join(", ");

  const answerAll = async (request: Request, context: { params: Promise<Record<string, string> | undefined> }) => {
    return answering(request, async (requestId, told) => {
      const nameSuccessor = (home: string) => {
        const path = successor?.(new URL(request.url).pathname);
        if (path) told.set("Link", `<${home}${path}>; rel="successor-version"`);
      };
      nameSuccessor("");
      assertAddress(request.url);
      const site = siteOfHost(request.headers.get("host"), env().baseUrl);
      const workspace = await workspaceOfSubdomain(site.kind === "subdomain" ? site.subdomain : undefined);
      noteOfRequest({ workspaceId: workspace.id });
      const home = workspaceUrl(workspace.subdomain, env().baseUrl);
      nameSuccessor(home);
      if (methods.length === 0) {
        throw new HttpError(404, `No such API path: ${home}/developers lists the paths there are.`);
      }
      if (request.method === "OPTIONS") return new Response(null, { status: 204, headers: { Allow: allow } });
      const answer = answers[(request.method === "HEAD" ? "GET" : request.method) as "GET" | "PATCH"];
      if (!answer) {
        throw new HttpError(405, `This path does not answer ${request.method}: use one of ${allow}.`, { Allow: allow });
      }
      // Next gives a path without parameters none at all.
      const params = (await context.params) ?? {};
      return answer({ request, requestId, workspace, params, told });
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

/** Contract 29 and 30, for whatever hands us an address that it did not check itself. */
function assertAddress(url: string): void {
  const { pathname, search } = new URL(url);
  if (pathname.length + search.length > URL_LIMIT)
    throw new HttpError(414, "The address is over 8 KB: send less in it.");
  try {
    if (!decodeURIComponent(pathname + search).includes("\0")) return;
  } catch {
    // Malformed: the same answer.
  }
  throw new HttpError(400, "The address is not properly percent-encoded: encode it as UTF-8, without NUL.");
}

/** Runs the work of one request; whatever it throws becomes an answer, with the headers of every answer (contract 60). */
async function answering(
  request: Request,
  work: (requestId: string, told: Headers) => Promise<Response>,
): Promise<Response> {
  // Behind the front door it is one already; through Next alone it becomes one here, and has one patience.
  const known = currentRequest();
  const own = known ?? newRequest(request.headers.get("x-request-id"), "api");
  const told = new Headers();
  const answered = () =>
    work(own.id, told).catch((error: unknown) =>
      answerError(
        httpErrorOf(error, (cause) => log().error({ err: cause, request_id: own.id }, "A request of the API failed.")),
      ),
    );
  const answer = await (known ? answered() : duringRequest(own, answered));
  if (!known) own.ended = true;
  for (const [name, value] of told) answer.headers.set(name, value);
  answer.headers.set("X-Request-Id", own.id);
  answer.headers.set("X-Content-Type-Options", "nosniff");
  return request.method === "HEAD" ? new Response(null, answer) : answer;
}
