import { type NextRequest, NextResponse } from "next/server";
import { siteOfHost, workspaceUrl } from "@/lib/host";
import { markdownPath } from "@/lib/markdown-path";

/** Where no page is: app/(apex)/[...path] answers 404 there. */
const nowhere = "/nothing-here";

/** The pages of the bare domain; what it is built of is shown in development alone. */
const apexPages = [
  ...["/", "/new", "/new/subdomain", "/find"],
  ...(process.env.NODE_ENV === "development" ? ["/components"] : []),
];

/** What is posted from these leads to the host of a workspace, which browsers ask the policy for. */
const leading = /^\/(new|admin\/settings\/address)$/;

/** Pictures and other files have a stricter policy of their own, which a header from here would replace. */
const files = /^\/(avatars|uploads)\/[^/]+$/;

/**
 * Leads a workspace's host to its folder: `/x` at demo.example.com is the page `/sites/demo/x`. Not the API: see lib/api.
 * Who wants Markdown is led beside it, to `app/markdown`.
 * Each page gets a policy with a nonce of its own, which Next reads from the request and puts on its scripts.
 */
export function middleware(request: NextRequest) {
  // server.ts always sets BASE_URL, before this runs.
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
  // Where who is led to the sign-in comes back to (lib/session.ts).
  headers.set("X-Asked-For", askedFor(request.nextUrl));
  const response = NextResponse.rewrite(url, { request: { headers } });
  const isFile = site.kind === "subdomain" && files.test(path);
  if (!isFile) response.headers.set("Content-Security-Policy", policy);
  return response;
}

/** The page's address on its host, without what the framework adds for itself. */
function askedFor({ pathname, searchParams }: URL): string {
  const query = new URLSearchParams(searchParams);
  query.delete("_rsc");
  return query.size > 0 ? `${pathname}?${query}` : pathname;
}

/** No script runs and no style counts but those that carry the nonce, and what such a script loads. Development reloads by eval and inline styles. */
function contentSecurityPolicy(nonce: string, isLeading: boolean): string {
  const development = process.env.NODE_ENV === "development";
  return [
    "default-src 'self'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ""}`,
    // A nonce would make browsers ignore 'unsafe-inline'.
    `style-src 'self' ${development ? "'unsafe-inline'" : `'nonce-${nonce}'`}`,
    // Articles may show pictures that lie elsewhere.
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
