import type { Metadata } from "next";
import { AdminPage } from "@/components/admin/page";
import { StartFrom } from "@/components/admin/writing/start-from";
import { ButtonLink } from "@/components/ui/button-link";
import { Empty } from "@/components/ui/empty";
import { Form, FormCombobox, FormField } from "@/components/ui/form";
import { listCategoryTree } from "@/lib/categories/tree";
import { readWorkspace } from "@/lib/db";
import { requireMember } from "@/lib/session";
import { type Query, wordOf } from "../../../_form";
import { categoryChoices } from "../../categories/_choices";
import { submitNewArticle } from "../actions";

export const metadata: Metadata = { title: "New article" };

export default async function NewArticlePage({ searchParams }: { searchParams: Promise<Query> }) {
  const { workspace, member } = await requireMember("articles.write");
  const query = await searchParams;
  const categories = categoryChoices(await readWorkspace(workspace.id, listCategoryTree));
  const mayMakeCategories = member.permissions.includes("categories.manage");
  return (
    <AdminPage title="New article" path={[{ href: "/admin/articles", name: "Articles" }]}>
      {categories.length === 0 ? (
        <Empty
          title="Create a category first"
          action={mayMakeCategories && <ButtonLink href="/admin/categories/new">New category</ButtonLink>}
        >
          <p>
            Every article belongs to a category.{" "}
            {!mayMakeCategories && "Ask someone who can manage categories to create one."}
          </p>
        </Empty>
      ) : (
        <Form action={submitNewArticle} submit="Create article" busy="Creating…" cancel="/admin/articles">
          <FormField
            label="Title"
            name="title"
            defaultValue={wordOf(query.title)}
            hint="Phrase it the way readers would ask."
            required
            autoFocus
            maxLength={300}
            autoComplete="off"
          />
          <FormCombobox label="Category" name="categoryId" defaultValue={wordOf(query.category)} options={categories} />
          <StartFrom />
        </Form>
      )}
    </AdminPage>
  );
}
