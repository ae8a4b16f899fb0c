import { type NextRequest, NextResponse } from "next/server";
import { siteOfHost } from "@/lib/host";
import { markdownPath } from "@/lib/markdown-path";

/** Where no page is: app/(apex)/[...path] answers 404 there. */
const nowhere = "/nothing-here";

/** Pictures have a stricter policy of their own, which a header from here would replace. */
const pictures = /^\/avatars\/[^/]+$/;

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
  } else if (site.kind === "unknown" || path !== "/") url.pathname = nowhere;
  const policy = contentSecurityPolicy(btoa(crypto.randomUUID()));
  const headers = new Headers(request.headers);
  headers.set("Content-Security-Policy", policy);
  const response = NextResponse.rewrite(url, { request: { headers } });
  const isPicture = site.kind === "subdomain" && pictures.test(path);
  if (!isPicture) response.headers.set("Content-Security-Policy", policy);
  return response;
}

/** No script runs and no style counts but those that carry the nonce, and what such a script loads. Development reloads by eval and inline styles. */
function contentSecurityPolicy(nonce: string): string {
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
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}

export const config = {
  runtime: "nodejs",
  matcher: "/((?!api/|_next/|icon\\.svg$).*)",
};
