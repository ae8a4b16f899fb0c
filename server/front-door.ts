import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { GET as unknownPath } from "@/app/api/[...path]/route";
import { routes as v1 } from "@/app/api/external/v1/routes";
import { routes as v2 } from "@/app/api/external/v2/routes";
import { isSeen } from "@/lib/analytics/viewers";
import { serveApi } from "@/lib/api/http";
import type { Env } from "@/lib/env";
import { FAILURE_POLICY, failurePage, wantsPage } from "@/lib/http/failure-page";
import { siteOfHost } from "@/lib/http/host";
import { type CurrentRequest, noteOfRequest } from "@/lib/http/request";
import { log, logSecurity } from "@/lib/log";
import { SESSION_COOKIE } from "@/lib/session/cookie";
import { addressNow } from "@/lib/workspaces/former-subdomains";
import { contentVersionOf } from "@/lib/workspaces/workspaces";
import { boundArrival } from "@/server/front-door/arrival";
import { completeHead } from "@/server/front-door/head";
import {
  isApi,
  isForeignChange,
  isMalformed,
  isOverlong,
  settleForwarded,
  settleTarget,
} from "@/server/front-door/incoming";
import { type ContentVersion, keepPages, sendDocument, sendKept } from "@/server/front-door/kept";
import { redirectMoved } from "@/server/front-door/moved";
import { observe } from "@/server/front-door/observe";
import { ownDocuments } from "@/server/front-door/own-documents";
import { pageNames } from "@/server/front-door/pages";
import { waitToRender } from "@/server/front-door/rendered";
import { addSecureHeaders, wrapResponse } from "@/server/front-door/response";
import type { ReaderScripts } from "@/server/front-door/scripts";
import { countView } from "@/server/front-door/viewed";

/** How long the database may take to answer /readyz, in milliseconds. */
const READY_MS = 2_000;

/**
 * Every request passes here before Next sees it.
 * @param notReady why requests should go elsewhere, or null. It throws when the database does not answer
 */
export function frontDoor(
  settings: Env,
  next: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  notReady: () => Promise<string | null>,
  scripts: ReaderScripts,
): (request: IncomingMessage, response: ServerResponse) => void {
  const api = serveApi(
    [
      { prefix: "/api/external/v1", paths: v1 },
      { prefix: "/api/external/v2", paths: v2 },
    ],
    unknownPath,
  );
  const documents = ownDocuments(SESSION_COOKIE);
  const kept = keepPages(SESSION_COOKIE, scripts.main, (...page) => documents.learn(...page));
  const pageOf = pageNames(join(process.cwd(), ".next"), settings.baseUrl);
  const isProduction = settings.nodeEnv === "production";

  const showPage = async (request: IncomingMessage, response: ServerResponse, current: CurrentRequest) => {
    const found = await locate(request, current, settings.baseUrl);
    if (found.movedTo) return void redirectMoved(request, response, found.movedTo);
    current.seen = isSeen(request);
    noteOfRequest({ workspaceId: found.workspace?.workspaceId ?? null });
    const isRead = request.method === "GET" || request.method === "HEAD";
    // Visitors don't see drafts.
    if (found.workspace && isRead) current.since = { content: found.workspace.version, drafts: "0" };
    if (current.seen && current.workspaceId) countView(request, response, current.workspaceId);
    // In development every page is rendered again, and its policy is looser.
    const keeps = isProduction ? found.workspace : null;
    const page = keeps && kept.find(request, keeps);
    if (page) return sendKept(request, response, page);
    // Next may change them.
    const headers = { ...request.headers };
    const wrapped = wrapResponse(response, () => completeHead(response, current, headers));
    const render = async () => {
      const counts = isProduction && current.surface === "page";
      const seconds = counts ? await waitToRender(request, current.workspaceId) : null;
      if (seconds === null) {
        const isAnswered =
          found.subdomain && found.workspace && (await documents.answer(request, response, found.subdomain));
        return isAnswered ? undefined : next(request, response);
      }
      response.setHeader("Retry-After", seconds);
      refuse(
        request,
        response,
        429,
        `Too many pages were requested from your network. Try again in ${seconds} seconds.`,
      );
    };
    if (keeps) await kept.renderAndKeep(request, wrapped, keeps, render);
    else if (found.subdomain) await sendDocument(request, wrapped, scripts.main, render);
    else await render();
  };
  const answer = (request: IncomingMessage, response: ServerResponse, current: CurrentRequest) => {
    if (isApi(request.url) && (isProduction || request.method === "TRACE")) return api(request, response);
    if (refuseEarly(request, response, settings)) return;
    return scripts.answer(request, response) ?? showPage(request, response, current);
  };
  return (request, response) => {
    const isPath = settleTarget(request);
    settleForwarded(request, settings);
    boundArrival(request, response);
    addSecureHeaders(response, settings.baseUrl);
    observe(request, response, pageOf, (current) => {
      if (request.url === "/healthz") return say(response, 200, "ok");
      if (request.url === "/readyz") return void sayReady(response, notReady);
      if (request.url === "/.well-known/security.txt" && settings.securityContact) {
        return say(response, 200, ...securityText(settings.securityContact, new Date()));
      }
      if (!isPath) {
        return refuse(request, response, 400, "The request target is not a path. Request a path, such as /.");
      }
      answer(request, response, current)?.catch((error: unknown) => {
        log().error({ err: error }, "A request failed.");
        response.destroy();
      });
    });
  };
}

/** The workspace at the request's host, or its current URL. Rendering reports a database outage. */
async function locate(
  request: IncomingMessage,
  { surface }: CurrentRequest,
  baseUrl: string,
): Promise<{ subdomain?: string; workspace?: ContentVersion; movedTo?: string | null }> {
  const site = siteOfHost(request.headers.host ?? null, baseUrl);
  if (surface !== "page" || site.kind !== "subdomain") return {};
  const { subdomain } = site;
  try {
    const workspace = await contentVersionOf(subdomain);
    return workspace ? { subdomain, workspace } : { subdomain, movedTo: await addressNow(subdomain) };
  } catch {
    return { subdomain };
  }
}

/**
 * Rejects requests that Next must not see.
 * @returns whether the request was answered
 */
function refuseEarly(request: IncomingMessage, response: ServerResponse, settings: Env): boolean {
  const { method, url } = request;
  const no = (status: number, ...lines: string[]) => {
    refuse(request, response, status, ...lines);
    return true;
  };
  // The API answers in its own format (contract 22).
  if (!request.headers.host && !isApi(url))
    return no(400, "The request has no Host header, which identifies the workspace. Send one.");
  if (isOverlong(url)) return no(414, "The URL is over 8 KB. Send a shorter one.");
  if (isMalformed(url)) {
    return no(400, "The URL is not properly percent-encoded. Encode it as UTF-8, without NUL characters.");
  }
  // Next never answers OPTIONS, and TRACE with 500.
  if (method === "OPTIONS" || method === "TRACE") {
    response.setHeader("Allow", "GET, HEAD, POST, OPTIONS");
    if (method === "TRACE") return no(405, "Pages only support GET.");
    response.writeHead(204).end();
    return true;
  }
  if (!isForeignChange(request, settings)) return false;
  const { origin = "none", host } = request.headers;
  logSecurity("origin.refused", {
    origin: origin.slice(0, 255),
    host,
    client: String(request.headers["x-forwarded-for"]),
  });
  return no(
    403,
    "This request didn't come from a page on this site, so nothing was changed. Open the page again and try again there.",
    `If you run this installation, make sure that BASE_URL (${settings.baseUrl}) matches the URL that browsers show.`,
  );
}

/** Answers whether requests can be served. /healthz only says that the process lives, so an outage restarts nothing. */
async function sayReady(response: ServerResponse, notReady: () => Promise<string | null>): Promise<void> {
  const away = "The database is not responding.";
  const deadline = sleep(READY_MS, away, { ref: false });
  const problem = await Promise.race([notReady(), deadline]).catch(() => away);
  if (problem === null) return say(response, 200, "ok");
  response.setHeader("Retry-After", "5");
  say(response, 503, problem);
}

/** The lines of security.txt. RFC 9116 requires an expiry date. */
function securityText(contact: string, now: Date): string[] {
  const expires = new Date(Date.UTC(now.getUTCFullYear() + 1, now.getUTCMonth(), 1)).toISOString();
  return [`Contact: ${contact}`, `Expires: ${expires}`, "Preferred-Languages: en"];
}

const HOME = { href: "/", name: "Go to the home page" };
const pages: Record<number, { title: string; link: { href: string; name: string } }> = {
  400: { title: "This URL isn't valid", link: HOME },
  403: { title: "Nothing was changed", link: { href: "", name: "Open the page again" } },
  429: { title: "Too many requests", link: { href: "", name: "Try again" } },
  414: { title: "This URL is too long", link: HOME },
};

/** Answers the API in JSON (contract 21), people with an HTML page, and other programs in plain text. */
function refuse(request: IncomingMessage, response: ServerResponse, status: number, ...lines: string[]): void {
  const page = wantsPage(request.headers.accept) && pages[status];
  if (!request.url?.startsWith("/api/")) {
    if (!page) return say(response, status, ...lines);
    response.writeHead(status, {
      "Content-Type": "text/html; charset=utf-8",
      "Cache-Control": "no-store",
      "Content-Security-Policy": FAILURE_POLICY,
    });
    return void response.end(failurePage({ ...page, sentences: lines }));
  }
  response.writeHead(status, {
    "Content-Type": "application/json; charset=utf-8",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-Request-Id": request.headers["x-request-id"],
  });
  response.end(JSON.stringify({ error: lines.join(" ") }));
}

function say(response: ServerResponse, status: number, ...lines: string[]): void {
  response.writeHead(status, { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" });
  response.end(`${lines.join("\n")}\n`);
}
