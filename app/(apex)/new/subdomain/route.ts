import { takeLimit } from "@/lib/counters";
import { env } from "@/lib/env";
import { workspaceUrl } from "@/lib/http/host";
import { tooManyRequests } from "@/lib/limits";
import { requestedSite } from "@/lib/site";
import { checkSubdomain } from "@/lib/workspaces/subdomains";

/** `/new/subdomain?of=`: whether a subdomain is free. */
export async function GET(request: Request): Promise<Response> {
  const { baseUrl, workspaceCreation } = env();
  if (!workspaceCreation || (await requestedSite()).kind !== "apex") {
    return answer({ error: "Creating workspaces is turned off here." }, { status: 404 });
  }
  const wait = await takeLimit("checkSubdomain", { network: request.headers.get("x-forwarded-for") });
  if (wait !== null) {
    const error = `Too many attempts. Try again in ${wait} seconds.`;
    return answer({ error }, tooManyRequests(wait));
  }
  const { subdomain, invalid } = await checkSubdomain(
    (new URL(request.url).searchParams.get("of") ?? "").slice(0, 100),
  );
  const message = invalid[0]?.message ?? `${workspaceUrl(subdomain, baseUrl)} is available.`;
  return answer({ subdomain, isFree: invalid.length === 0, message });
}

function answer(body: object, { status = 200, headers = {} }: ResponseInit = {}): Response {
  return Response.json(body, { status, headers: { ...headers, "Cache-Control": "no-store" } });
}
