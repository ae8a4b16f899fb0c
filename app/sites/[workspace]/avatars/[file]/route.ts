import { readWorkspace } from "@/lib/db";
import { drawnAvatar } from "@/lib/members/avatars";
import { findMember } from "@/lib/members/members";
import { publicWorkspace } from "@/lib/site";

/** `/avatars/<member id>.svg`: the default avatar. */
export async function GET(_request: Request, context: { params: Promise<{ workspace: string; file: string }> }) {
  const { workspace: subdomain, file } = await context.params;
  const id = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.svg$/.exec(file)?.[1];
  const workspace = await publicWorkspace(subdomain);
  const member = id && (await readWorkspace(workspace.id, (read) => findMember(read, id)));
  if (!member) return new Response("No such picture.\n", { status: 404, headers: { "Content-Type": "text/plain" } });
  return new Response(drawnAvatar(member, member.id), {
    headers: {
      "Content-Type": "image/svg+xml",
      "Cache-Control": "public, max-age=0, must-revalidate",
      "Content-Security-Policy": "default-src 'none'; sandbox",
    },
  });
}
