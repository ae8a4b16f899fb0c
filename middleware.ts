import { type NextRequest, NextResponse } from "next/server";
import { siteOfHost, workspaceUrl } from "@/lib/http/host";
import { markdownPath } from "@/lib/http/markdown-path";
import { FLASH_COOKIE, hostCookie } from "@/lib/session/cookie";

/** Answered with 404 by app/(apex)/[...path]. */
const nowhere = "/nothing-here";

const apexPages = [
  "/",
  "/new",
  "/new/subdomain",
  "/find",
  "/favicon.ico",
  ...(process.env.NODE_ENV === "development" ? ["/components"] : []),
];

/** Forms that redirect to a workspace's host, which browsers check against the policy. */
const leading = /^\/(new|admin\/settings\/address)$/;

/** Files have a stricter policy of their own, which a header from here would replace. */
const files = /^\/(avatars|uploads)\/[^/]+$/;

/**
 * Rewrites a workspace's host to its folder: `/x` at demo.example.com is the page `/sites/demo/x`, or its Markdown.
 * Each page gets a policy with its own nonce, which Next reads from the request and puts on its scripts.
 */
export function middleware(request: NextRequest) {
  // server.ts sets BASE_URL before this runs.
  const site = siteOfHost(request.headers.get("host"), process.env.BASE_URL ?? "");
  const url = request.nextUrl.clone();
  const path = url.pathname;
  if (site.kind === "subdomain") {
    url.pathname =
      markdownPath(site.subdomain, path, request.headers.get("accept")) ?? `/sites/${site.subdomain}${path}`;
  } else if (site.kind === "unknown" || !apexPages.includes(path)) url.pathname = nowhere;
  const policy = contentSecurityPolicy(btoa(crypto.randomUUID()), leading.test(path));
  const headers = new Headers(request.headers);
  headers.set("Content-Security-Policy", policy);
  // The page to return to after signing in (lib/session.ts).
  headers.set("X-Requested-Path", requestedPath(request.nextUrl));
  // A page can read cookies but not delete them, so a message is handed over here and its cookie ends with the document.
  const { name, options } = hostCookie(FLASH_COOKIE, process.env.BASE_URL ?? "");
  const flash = request.cookies.get(name)?.value;
  headers.delete("X-Flash");
  if (flash) headers.set("X-Flash", flash);
  const response = NextResponse.rewrite(url, { request: { headers } });
  const isDocument = request.method === "GET" && request.headers.get("accept")?.includes("text/html");
  if (flash && isDocument && /^\/admin(\/|$)/.test(path)) response.cookies.set(name, "", { ...options, maxAge: 0 });
  const isFile = site.kind === "subdomain" && files.test(path);
  if (!isFile) response.headers.set("Content-Security-Policy", policy);
  return response;
}

/** Without what the framework adds. */
function requestedPath({ pathname, search, searchParams }: URL): string {
  if (!searchParams.has("_rsc")) return pathname + search;
  const query = new URLSearchParams(searchParams);
  query.delete("_rsc");
  return query.size > 0 ? `${pathname}?${query}` : pathname;
}

/**
 * Allows only scripts and styles with the nonce, and what such scripts load. Development needs eval and inline styles.
 */
function contentSecurityPolicy(nonce: string, isLeading: boolean): string {
  const development = process.env.NODE_ENV === "development";
  return [
    "default-src 'self'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ""}`,
    `style-src 'self' ${development ? "'unsafe-inline'" : `'nonce-${nonce}'`}`,
    // Articles may show images from elsewhere.
    "img-src 'self' data: https:",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    `form-action 'self'${isLeading ? ` ${workspaceUrl("*", process.env.BASE_URL ?? "")}` : ""}`,
    "frame-ancestors 'none'",
  ].join("; ");
}

export const config = {
  runtime: "nodejs",
  matcher: "/((?!api/|_next/|icon\\.svg$).*)",
};
