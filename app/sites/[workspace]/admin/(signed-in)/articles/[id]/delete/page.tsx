import type { Metadata } from "next";
import { AdminPage } from "@/components/admin/page";
import { Form, FormChoice, FormField } from "@/components/ui/form";
import { pathTo, requireArticle } from "../_article";
import { submitDeleteArticle } from "../actions";

export const metadata: Metadata = { title: "Delete article" };

interface Props {
  params: Promise<{ workspace: string; id: string }>;
}

export default async function DeleteArticlePage({ params }: Props) {
  const { article, here } = await requireArticle(params, "articles.write", () => Promise.resolve());
  const hasReaders = article.state === "published" || article.publishedAt !== null;
  return (
    <AdminPage
      title={`Delete “${article.text.title}”`}
      about="You can restore the article from the trash for 30 days."
      path={pathTo(article)}
    >
      <Form action={submitDeleteArticle} submit="Delete" busy="Deleting…" look="danger" cancel={here}>
        <input type="hidden" name="id" value={article.id} />
        {hasReaders && (
          <div className="group grid gap-5">
            <FormChoice
              label="Old URL"
              name="leads"
              defaultValue="gone"
              options={[
                { value: "gone", name: "Show “article removed”" },
                { value: "on", name: "Redirect to another page" },
              ]}
            />
            <div className="group-has-[option[value=gone]:checked]:hidden">
              <FormField
                label="Redirect to"
                name="to"
                hint="A path such as /articles/refunds, or a full URL."
                maxLength={2_000}
                autoComplete="off"
                spellCheck={false}
              />
            </div>
          </div>
        )}
      </Form>
    </AdminPage>
  );
}
