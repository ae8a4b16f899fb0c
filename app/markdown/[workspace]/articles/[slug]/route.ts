import { articleMarkdown } from "@/lib/reader-markdown";
import { markdownAnswer } from "../../../_answer";

/** `/articles/<slug>.md` at the workspace's host. */
export async function GET(request: Request, context: { params: Promise<{ workspace: string; slug: string }> }) {
  const { workspace, slug } = await context.params;
  return markdownAnswer(request, workspace, `/articles/${slug}`, (sight, home) => articleMarkdown(sight, slug, home));
}
