import { plainRefusal } from "@/lib/http/file-answer";
import { publicWorkspace } from "@/lib/site";
import { imageAnswer } from "../og/_answer";

export async function GET(request: Request, context: { params: Promise<{ workspace: string }> }) {
  const workspace = await publicWorkspace((await context.params).workspace);
  if (workspace.visibility === "members") return plainRefusal(404, "This knowledge base is private.");
  return imageAnswer(request, workspace, null);
}
