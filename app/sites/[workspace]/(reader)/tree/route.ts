import { publishedNames } from "@/lib/reader/published-categories";
import { treeAnswer } from "./_answer";

/** `/tree`: the names of all categories. */
export async function GET(request: Request, { params }: { params: Promise<{ workspace: string }> }) {
  return treeAnswer(request, (await params).workspace, publishedNames);
}
