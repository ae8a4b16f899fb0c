import { type NextRequest, NextResponse } from "next/server";
import { siteOfHost } from "@/lib/host";

/** Where no page is: app/(apex)/[...path] answers 404 there. */
const nowhere = "/nothing-here";

/** Leads a workspace's host to its folder: `/x` at demo.example.com is the page `/sites/demo/x`. Not the API: see lib/api. */
export function middleware(request: NextRequest) {
  // server.ts always sets BASE_URL, before this runs.
  const site = siteOfHost(request.headers.get("host"), process.env.BASE_URL ?? "");
  const url = request.nextUrl.clone();
  if (site.kind === "subdomain") url.pathname = `/sites/${site.subdomain}${url.pathname}`;
  else if (site.kind === "unknown" || url.pathname !== "/") url.pathname = nowhere;
  return NextResponse.rewrite(url);
}

export const config = {
  runtime: "nodejs",
  matcher: "/((?!api/|_next/|icon\\.svg$).*)",
};
