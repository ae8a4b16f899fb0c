import { openDraft } from "@/lib/articles/open-draft";
import { lackOf } from "@/lib/articles/prepare-draft";
import { comparable, compareArticles } from "../../_comparison";
import { requireArticle } from "../_article";

/** What publishing the draft would change for readers. Unlike a server action, it does not wait for other actions. */
export async function GET(_request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  const {
    workspace,
    article,
    more: live,
  } = await requireArticle(params, "articles.publish", async (read, { id, state }) =>
    state === "published" ? openDraft(read, id, "live") : null,
  );
  const review = {
    revision: article.revision,
    lack: await lackOf(workspace.id, article.text),
    changes: live && (await compareArticles(workspace.id, comparable(live), comparable(article))),
  };
  return Response.json(review, { headers: { "Cache-Control": "no-store" } });
}
