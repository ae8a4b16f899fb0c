import { UnavailableError } from "@/lib/errors";
import { log } from "@/lib/log";
import { previewedId } from "@/lib/reader/previews";
import { currentMember } from "@/lib/session";
import { publicWorkspace } from "@/lib/site";
import { noUpload, unavailableUpload, uploadAnswer } from "@/lib/uploads/answer";
import { uploadStorage } from "@/lib/uploads/chosen-storage";
import { uploadFor } from "@/lib/uploads/uploads";

/** `/uploads/<id>`, with `?preview=<token>` for files of a preview. */
export async function GET(request: Request, context: { params: Promise<{ workspace: string; id: string }> }) {
  const { workspace: subdomain, id } = await context.params;
  const workspace = await publicWorkspace(subdomain);
  const viewer = (await currentMember(subdomain)) ? "member" : "anyone";
  const preview = new URL(request.url).searchParams.get("preview");
  const upload = await uploadFor(workspace, viewer, id, preview && (await previewedId(workspace.id, preview)));
  if (!upload) return noUpload();
  try {
    return await uploadAnswer(request, upload, uploadStorage());
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    log().error({ err: error }, "An upload could not be read.");
    return unavailableUpload(request);
  }
}
