import { env } from "@/lib/env";
import { fileAnswer } from "@/lib/file-answer";
import { workspaceUrl } from "@/lib/host";
import { publicWorkspace } from "@/lib/site";

// By its name Next takes it for a file that is made once, when it is built.
export const dynamic = "force-dynamic";

/** What is for readers may be read by programs; a workspace for its members is none of their business. */
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
