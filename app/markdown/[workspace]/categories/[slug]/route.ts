import { categoryMarkdown } from "@/lib/reader/reader-markdown";
import { markdownAnswer } from "../../../_answer";

/** `/categories/<slug>.md?page=<number>` */
export async function GET(request: Request, context: { params: Promise<{ workspace: string; slug: string }> }) {
  const { workspace, slug } = await context.params;
  const page = /^([1-9]\d{0,5})$/.exec(new URL(request.url).searchParams.get("page") ?? "1")?.[1];
  return markdownAnswer(request, workspace, `/categories/${slug}`, async (snapshot, home) =>
    page ? categoryMarkdown(snapshot, slug, Number(page), home) : null,
  );
}
