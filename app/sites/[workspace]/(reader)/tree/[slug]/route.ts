import { publishedBranch } from "@/lib/reader/published-categories";
import { treeAnswer } from "../_answer";

/** `/tree/<slug>`: what is directly in a category. */
export async function GET(request: Request, { params }: { params: Promise<{ workspace: string; slug: string }> }) {
  const { workspace, slug } = await params;
  return treeAnswer(request, workspace, (snapshot) => publishedBranch(snapshot, slug));
}
