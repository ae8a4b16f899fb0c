import { env } from "@/lib/env";
import { fileAnswer } from "@/lib/http/file-answer";
import { workspaceUrl } from "@/lib/http/host";
import { publicWorkspace } from "@/lib/site";

// Next would make a file of this name at build time.
export const dynamic = "force-dynamic";

export async function GET(request: Request, context: { params: Promise<{ workspace: string }> }) {
  const { subdomain, visibility } = await publicWorkspace((await context.params).workspace);
  const lines =
    visibility === "members"
      ? ["User-agent: *", "Disallow: /"]
      : [
          "User-agent: *",
          "Disallow: /admin",
          "Disallow: /api",
          "Disallow: /search",
          "",
          `Sitemap: ${workspaceUrl(subdomain, env().baseUrl)}/sitemap.xml`,
        ];
  return fileAnswer(request, `${lines.join("\n")}\n`, { contentType: "text/plain; charset=utf-8" });
}
