import { plainRefusal } from "@/lib/http/file-answer";
import { drawnArticle } from "@/lib/reader/social-image";
import { publicWorkspace } from "@/lib/site";
import { readAs } from "@/lib/visibility";
import { imageAnswer } from "../../_answer";

/** `/og/articles/<slug>.png`, only for articles that everyone may read. */
export async function GET(request: Request, context: { params: Promise<{ workspace: string; file: string }> }) {
  const { workspace: subdomain, file } = await context.params;
  const workspace = await publicWorkspace(subdomain);
  const slug = /^(.+)\.png$/.exec(file)?.[1];
  const article = slug && (await readAs(workspace, "anyone", (snapshot) => drawnArticle(snapshot, slug)));
  return article ? imageAnswer(request, workspace, article) : plainRefusal(404, "There is no such picture.");
}
