import { env } from "@/lib/env";
import { siteOfHost } from "@/lib/host";
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

/** The most bytes of an address (contract 29). */
const URL_LIMIT = 8 * 1024;

/**
 * The handlers of one path for every method, so that none is left to the framework's own answer. Checks the address,
 * the host, the path and the method, in that order, all of it without a key.
 * @param operations the methods that do something; none for a path that is not of the API (contract 25)
 * @param successor of a version that has one: the path of the same thing in the next version, which answers then name
 */
export function route(operations: Operations, successor?: (path: string) => string): Record<Method, Handler> {
  const methods = Object.keys(operations);
  if (operations.GET) methods.push("HEAD");
  const allow = [...methods, "OPTIONS"].join(", ");

  const answer = async (request: Request, context: { params: Promise<Record<string, string> | undefined> }) => {
    const response = await answering(request, async () => {
      assertAddress(request.url);
      const site = siteOfHost(request.headers.get("host"), env().baseUrl);
      const workspace = await workspaceOfSubdomain(site.kind === "subdomain" ? site.subdomain : undefined);
      if (methods.length === 0)
        throw new HttpError(404, "No such API path: see the reference for the paths there are.");
      if (request.method === "OPTIONS") return new Response(null, { status: 204, headers: { Allow: allow } });
      const operation = operations[(request.method === "HEAD" ? "GET" : request.method) as "GET" | "PATCH"];
      if (!operation) {
        throw new HttpError(405, `This path does not answer ${request.method}: use one of ${allow}.`, { Allow: allow });
      }
      // Next gives a path without parameters none at all.
      return operation(request, workspace, (await context.params) ?? {});
    });
    if (successor) {
      const path = successor(new URL(request.url).pathname);
      response.headers.set("Link", `<${path}>; rel="successor-version"`);
    }
    return response;
  };
  const handler: Handler = Object.assign(answer, { operations });
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
async function answering(request: Request, work: () => Promise<Response>): Promise<Response> {
  const inbound = request.headers.get("x-request-id");
  const requestId = inbound && /^[\w.:-]{1,100}$/.test(inbound) ? inbound : crypto.randomUUID();
  const answer = await work().catch((error: unknown) =>
    answerError(httpErrorOf(error, (cause) => console.error(`request ${requestId}:`, cause))),
  );
  answer.headers.set("X-Request-Id", requestId);
  answer.headers.set("X-Content-Type-Options", "nosniff");
  return request.method === "HEAD" ? new Response(null, answer) : answer;
}
