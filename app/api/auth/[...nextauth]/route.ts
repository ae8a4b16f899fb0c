import type { NextRequest } from "next/server";
import NextAuth from "next-auth";
import { authOptions } from "@/lib/session";
import { findPublicWorkspace, requestedSite } from "@/lib/site";

/** next-auth believes the host of a request, so it is only asked at the host of a workspace. */
async function handler(request: NextRequest, context: { params: Promise<{ nextauth: string[] }> }): Promise<Response> {
  const site = await requestedSite();
  if (site.kind !== "subdomain" || !(await findPublicWorkspace(site.subdomain))) {
    return Response.json({ error: "Workspace not found: check the subdomain in the address." }, { status: 404 });
  }
  return NextAuth(request, context, authOptions()) as Promise<Response>;
}

export { handler as GET, handler as POST };
