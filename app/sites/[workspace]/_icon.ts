import { fileAnswer, plainRefusal } from "@/lib/http/file-answer";
import { drawIcon } from "@/lib/reader/draw-workspace-icon";
import { type IconFile, iconVersion } from "@/lib/reader/workspace-icon";
import { findPublicWorkspace, type PublicWorkspace } from "@/lib/site";
import { uploadStorage } from "@/lib/uploads/chosen-storage";
import { uploadFor } from "@/lib/uploads/uploads";

/** Seconds that browsers keep an icon, with its version in the URL and without. */
const VERSION_AGE = 30 * 24 * 60 * 60;
const AGE = 60 * 60;

export const noIcon = () => plainRefusal(404, "No such file.");

export async function iconAnswer(request: Request, subdomain: string, file: IconFile): Promise<Response> {
  const workspace = await findPublicWorkspace(subdomain);
  if (!workspace) return noIcon();
  const icon = await drawIcon(workspace, file, () => readLogo(workspace));
  const isVersion = new URL(request.url).searchParams.get("v") === iconVersion(workspace);
  return fileAnswer(request, icon, {
    contentType: file.endsWith(".ico") ? "image/x-icon" : "image/png",
    maxAge: isVersion ? VERSION_AGE : AGE,
  });
}

async function readLogo(workspace: PublicWorkspace): Promise<Uint8Array | null> {
  const upload = await uploadFor(workspace, "anyone", workspace.logo?.path.split("/").at(-1) ?? "");
  if (!upload) return null;
  const file = await uploadStorage().open(upload.storageKey, { start: 0, end: upload.byteSize - 1 });
  return file && new Uint8Array(await new Response(file).arrayBuffer());
}
