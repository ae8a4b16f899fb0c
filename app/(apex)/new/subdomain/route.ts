import { env } from "@/lib/env";
import { workspaceUrl } from "@/lib/host";
import { requestedSite } from "@/lib/site";
import { countOnApex } from "@/lib/workspaces/limits";
import { checkSubdomain } from "@/lib/workspaces/subdomains";

/** `/new/subdomain?of=`: whether a workspace may have a subdomain that is being typed. */
export async function GET(request: Request): Promise<Response> {
  const { baseUrl, workspaceCreation } = env();
  if (!workspaceCreation || (await requestedSite()).kind !== "apex") {
    return answer({ error: "Nobody can make a workspace here." }, { status: 404 });
  }
  const wait = await countOnApex("subdomain tried", request.headers.get("x-forwarded-for"));
  if (wait !== null) {
    const error = `Too many subdomains were tried from this address: go on in ${wait} seconds.`;
    return answer({ error }, { status: 429, headers: { "Retry-After": String(wait) } });
  }
  const { subdomain, invalid } = await checkSubdomain(
    (new URL(request.url).searchParams.get("of") ?? "").slice(0, 100),
  );
  const message = invalid[0]?.message ?? `${workspaceUrl(subdomain, baseUrl)} is free.`;
  return answer({ subdomain, isFree: invalid.length === 0, message });
}

function answer(body: object, { status = 200, headers = {} }: ResponseInit = {}): Response {
  return Response.json(body, { status, headers: { ...headers, "Cache-Control": "no-store" } });
}
