import { takeLimit } from "@/lib/counters";
import { env } from "@/lib/env";
import { InvalidError } from "@/lib/errors";
import { plainRefusal } from "@/lib/http/file-answer";
import { ENVELOPE, fileOfForm } from "@/lib/http/form-file";
import { networkOf } from "@/lib/http/network";
import { tooLarge, uploadImport } from "@/lib/import-export/runs";
import { log } from "@/lib/log";
import { importPermissions, within } from "@/lib/members/roles";
import { currentMember, requireMember } from "@/lib/session";
import { findPublicWorkspace, requestedSite } from "@/lib/site";
import { isDiskFull } from "@/lib/uploads/storage";
import { takeUploadSlot } from "@/lib/uploads/upload-slots";

// Not below /admin: the middleware would read every body whole, and cut those over 1 MB. The front door checks that a page
// of this host sent the request (server/front-door/incoming.ts).

/**
 * Streams the form of /admin/import, because its file may be larger than memory. Counts like an upload, and rejects a file
 * before reading it if it could not be stored. Redirects to the page.
 */
export async function POST(request: Request): Promise<Response> {
  const site = await requestedSite();
  const workspace = site.kind === "subdomain" ? await findPublicWorkspace(site.subdomain) : null;
  if (!workspace) return plainRefusal(404, "No workspace has this URL.");
  const member = await currentMember(workspace.subdomain);
  if (!member) return led("/admin/sign-in");
  if (!within(member.permissions, importPermissions)) {
    return plainRefusal(403, "You can't import. Ask a member who can.");
  }
  const { actor } = await requireMember(importPermissions);
  if (!request.body) return plainRefusal(400, "The request contains no file.");
  if ((await takeLimit("upload", { workspace: workspace.id, member: member.id })) !== null)
    return led("/admin/import?refused=too_often");
  const free = takeUploadSlot(workspace.id, networkOf(request.headers.get("x-forwarded-for")));
  if (!free) return led("/admin/import?refused=busy");
  let query = "";
  try {
    if (Number(request.headers.get("content-length") ?? 0) > env().importBytes + ENVELOPE) throw tooLarge();
    const { filename, content } = await fileOfForm(request.headers.get("content-type") ?? "", request.body);
    await uploadImport(workspace.id, { filename, content }, actor);
  } catch (error) {
    if (error instanceof InvalidError) query = `?refused=${error.fields[0]?.code}`;
    else if (isDiskFull(error)) {
      log().error({ err: error }, "An import could not be stored, because the disk is full. Free some space.");
      query = "?refused=full";
    } else throw error;
  } finally {
    free();
  }
  return led(`/admin/import${query}`);
}

function led(Location: string): Response {
  return new Response(null, { status: 303, headers: { Location, "Cache-Control": "no-store" } });
}
