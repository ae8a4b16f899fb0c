import { fileAnswer, plainRefusal } from "@/lib/http/file-answer";
import { currentMember, readAsVisitor } from "@/lib/session";
import { publicWorkspace } from "@/lib/site";
import type { Snapshot } from "@/lib/visibility";

/** Answers a part of the tree as JSON, for components/reader/scripts/tree.ts. */
export async function treeAnswer(
  request: Request,
  subdomain: string,
  find: (snapshot: Snapshot) => Promise<object | null>,
): Promise<Response> {
  const found = await readAsVisitor(await publicWorkspace(subdomain), find);
  if (found === null) return plainRefusal(404, "There is no such category.");
  return fileAnswer(request, JSON.stringify(found), {
    contentType: "application/json",
    kept: (await currentMember(subdomain)) ? "private" : "public",
  });
}
