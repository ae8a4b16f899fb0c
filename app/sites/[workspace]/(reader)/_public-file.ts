import { env } from "@/lib/env";
import { fileAnswer, plainRefusal } from "@/lib/file-answer";
import { workspaceUrl } from "@/lib/host";
import { type PublicWorkspace, publicWorkspace } from "@/lib/site";
import { readAs, type Sight } from "@/lib/visibility";

/**
 * Answers a file that tells programs of the whole workspace: what everyone may see, whoever asks. A workspace for its
 * members has none, though some of its categories may be for everyone: nobody is meant to come across it.
 * @param context.params the workspace's subdomain
 * @param find reads what the file is made of, and answers what makes it, or null when there is no such file
 */
export async function publicFile(
  request: Request,
  context: { params: Promise<{ workspace: string }> },
  contentType: string,
  find: (sight: Sight, workspace: PublicWorkspace & { home: string }) => Promise<(() => string) | null>,
): Promise<Response> {
  const workspace = await publicWorkspace((await context.params).workspace);
  if (workspace.visibility === "members") return plainRefusal(404, "This knowledge base is for its members.");
  const home = workspaceUrl(workspace.subdomain, env().baseUrl);
  const make = await readAs(workspace, "anyone", (sight) => find(sight, { ...workspace, home }));
  if (make === null) return plainRefusal(404, "There is no such file.");
  return fileAnswer(request, make(), { contentType });
}
