import { NextRequest } from "next/server";
import NextAuth from "next-auth";
import { HttpError } from "@/lib/api/errors";
import { bodyOf, bytesOf } from "@/lib/api/input";
import { authOptions } from "@/lib/sign-in/auth-options";
import { findPublicWorkspace, requestedSite } from "@/lib/site";

/** next-auth trusts the Host header of a request, so only requests at a workspace's host reach it. */
async function handler(request: NextRequest, context: { params: Promise<{ nextauth: string[] }> }): Promise<Response> {
  const site = await requestedSite();
  if (site.kind !== "subdomain" || !(await findPublicWorkspace(site.subdomain))) {
    return Response.json({ error: "Workspace not found. Check the subdomain in the URL." }, { status: 404 });
  }
  try {
    return (await NextAuth(await bounded(request), context, authOptions())) as Response;
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return Response.json({ error: error.message }, { status: error.status });
  }
}

/** The same request with a body already read. next-auth would read any length, and no middleware runs before it. */
async function bounded(request: NextRequest): Promise<NextRequest> {
  if (request.method !== "POST") return request;
  const isJson = request.headers.get("content-type")?.includes("application/json");
  const body = isJson ? JSON.stringify(await bodyOf(request)) : new Uint8Array(await bytesOf(request));
  return new NextRequest(request.url, { method: "POST", headers: request.headers, body });
}

export { handler as GET, handler as POST };
