import { notFound } from "next/navigation";
import { childrenOf, pathTo } from "@/components/admin/categories/tree";
import { AdminPage } from "@/components/admin/page";
import { ButtonLink } from "@/components/ui/button-link";
import { Form, FormCombobox, type FormState } from "@/components/ui/form";
import { findCategoryDetails, listCategoryTree } from "@/lib/categories/tree";
import { readWorkspace } from "@/lib/db";
import { requireMember } from "@/lib/session";
import { breadcrumbsTo, categoryChoices, contentsOf } from "./_choices";

const pages = {
  merge: {
    title: (name: string) => `Merge “${name}” into another category`,
    submit: "Merge category",
    busy: "Merging…",
  },
  delete: { title: (name: string) => `Delete “${name}”`, submit: "Delete category", busy: "Deleting…" },
};

/** Asks where to move the contents of a category before its deletion. */
export async function RemovalPage({
  params,
  as,
  action,
}: {
  params: Promise<{ workspace: string; id: string }>;
  as: keyof typeof pages;
  action: (before: FormState, form: FormData) => Promise<FormState>;
}) {
  const { id } = await params;
  const { workspace } = await requireMember("categories.manage");
  const { category, rows } = await readWorkspace(workspace.id, async (read) => ({
    category: await findCategoryDetails(read, id),
    rows: await listCategoryTree(read),
  }));
  if (!category) notFound();
  const contents = contentsOf(category, childrenOf(rows).get(category.id)?.length ?? 0);
  const { title, submit, busy } = pages[as];
  const above = pathTo(rows, category.parentId).at(-1);
  const choices = categoryChoices(rows, category.id);
  const asksWhere = as === "merge" || contents !== "";
  return (
    <AdminPage
      title={title(category.name)}
      about={
        contents === "" ? "This category is empty." : `${contents} will move to the end of the category you choose.`
      }
      path={breadcrumbsTo(category)}
    >
      {asksWhere && choices.length === 0 ? (
        <>
          <p className="mb-5 max-w-[36rem]">There is no other category to choose. Create a category first.</p>
          <ButtonLink href="/admin/categories/new">Create category</ButtonLink>
        </>
      ) : (
        <Form
          action={action}
          submit={submit}
          busy={busy}
          look={as === "delete" ? "danger" : "primary"}
          cancel="/admin/categories"
        >
          <input type="hidden" name="id" value={category.id} />
          {asksWhere && (
            <FormCombobox
              label={as === "merge" ? "Merge into" : "Move contents to"}
              name="into"
              defaultValue={as === "delete" ? (above?.id ?? "") : ""}
              placeholder="Choose a category"
              options={choices}
              hint={contents && "Articles that move get the visibility of the category you choose."}
            />
          )}
          <p className="text-text-muted">
            {asksWhere
              ? `“${category.name}” will be deleted, and /categories/${category.slug} will redirect to the category you choose.`
              : `“${category.name}” will be deleted, and /categories/${category.slug} will show that the page was removed.`}{" "}
            {`For 30 days, you can restore “${category.name}” from the trash.${contents && " Its contents then move back."}`}
          </p>
        </Form>
      )}
    </AdminPage>
  );
}
