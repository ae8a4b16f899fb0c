import type { Metadata } from "next";
import { AdminPage } from "@/components/admin/page";
import { ButtonLink } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
import { Form, FormChoice, FormField } from "@/components/ui/form";
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
    <AdminPage
      title="New article"
      about="A draft: readers see it when you publish it."
      path={[{ href: "/admin/articles", name: "Articles" }]}
    >
      {categories.length === 0 ? (
        <Empty
          title="There is no category yet"
          action={mayMakeCategories && <ButtonLink href="/admin/categories/new">New category</ButtonLink>}
        >
          <p>
            Every article is in a category, which is where readers find it.{" "}
            {mayMakeCategories ? "Make the first one." : "Ask somebody who may make categories for the first one."}
          </p>
        </Empty>
      ) : (
        <Form action={submitNewArticle} submit="Start writing" busy="Starting …">
          <FormField
            label="Title"
            name="title"
            defaultValue={wordOf(query.title)}
            hint="As readers would ask: it can be changed at any time."
            required
            autoFocus
            maxLength={300}
            autoComplete="off"
          />
          <FormChoice label="Category" name="categoryId" defaultValue={wordOf(query.category)} options={categories} />
        </Form>
      )}
    </AdminPage>
  );
}
