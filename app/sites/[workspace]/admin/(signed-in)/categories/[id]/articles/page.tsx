import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { ArticleOrder } from "@/components/admin/categories/article-order";
import { AdminPage } from "@/components/admin/page";
import { Empty } from "@/components/ui/empty";
import { Fold } from "@/components/ui/fold";
import { Form, FormChoice, FormField } from "@/components/ui/form";
import { findCategoryDetails, listOrderedArticles } from "@/lib/categories/tree";
import { readWorkspace } from "@/lib/db";
import { requireMember } from "@/lib/session";
import { breadcrumbsTo, MOST_ARTICLES } from "../../_choices";
import { moveArticle, submitArticlePlace } from "../../actions";

export const metadata: Metadata = { title: "Reorder articles" };

interface Props {
  params: Promise<{ workspace: string; id: string }>;
}

export default async function CategoryArticlesPage({ params }: Props) {
  const { id } = await params;
  const { workspace, member } = await requireMember("categories.manage");
  const { category, articles } = await readWorkspace(workspace.id, async (read) => {
    const found = await findCategoryDetails(read, id);
    return { category: found, articles: found ? await listOrderedArticles(read, found.id, MOST_ARTICLES) : [] };
  });
  if (!category) notFound();
  const total = category.published + category.drafts;
  return (
    <AdminPage
      title={`Reorder articles in “${category.name}”`}
      about={
        articles.length === 0
          ? undefined
          : total > MOST_ARTICLES
            ? `Readers see articles in this order. Showing the first ${MOST_ARTICLES.toLocaleString("en")} of ${total.toLocaleString("en")}.`
            : "Readers see articles in this order. Drag to reorder."
      }
      path={breadcrumbsTo(category)}
    >
      {articles.length === 0 ? (
        <Empty title="No articles yet">
          <p>Articles that you add to this category appear here.</p>
        </Empty>
      ) : (
        <>
          <ArticleOrder
            categoryId={category.id}
            articles={articles}
            mayWrite={member.permissions.includes("articles.write")}
            actions={{ move: moveArticle }}
          />
          <div className="mt-6 border-t border-border pt-3">
            <Fold summary="Move an article">
              <div className="pt-3 pb-2">
                <Form action={submitArticlePlace} submit="Move" busy="Moving…" look="plain">
                  <input type="hidden" name="id" value={category.id} />
                  <FormChoice
                    label="Article"
                    name="article"
                    options={articles.map((article, index) => ({
                      value: article.id,
                      name: `${index + 1}. ${article.title}`,
                    }))}
                  />
                  <FormField label="Position" name="position" type="number" min={1} max={total} defaultValue={1} />
                </Form>
              </div>
            </Fold>
          </div>
        </>
      )}
    </AdminPage>
  );
}
