import { articleMarkdown } from "@/lib/reader/reader-markdown";
import { markdownAnswer } from "../../../_answer";

/** `/articles/<slug>.md` */
export async function GET(request: Request, context: { params: Promise<{ workspace: string; slug: string }> }) {
  const { workspace, slug } = await context.params;
  return markdownAnswer(request, workspace, `/articles/${slug}`, (snapshot, home) =>
    articleMarkdown(snapshot, slug, home),
  );
}
