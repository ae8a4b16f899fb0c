import type { Metadata } from "next";
import { AdminPage } from "@/components/admin/page";
import { Form, FormChoice, FormCombobox, FormField, FormText } from "@/components/ui/form";
import { listCategoryTree } from "@/lib/categories/tree";
import { readWorkspace } from "@/lib/db";
import { requireMember } from "@/lib/session";
import { idOf, type Query } from "../../../_form";
import { breadcrumbsTo, categoryChoices } from "../_choices";
import { submitCreateCategory } from "../actions";

export const metadata: Metadata = { title: "Create category" };

export default async function NewCategoryPage({ searchParams }: { searchParams: Promise<Query> }) {
  const { workspace } = await requireMember("categories.manage");
  const { below } = await searchParams;
  const rows = await readWorkspace(workspace.id, listCategoryTree);
  return (
    <AdminPage title="Create category" path={breadcrumbsTo()}>
      <Form action={submitCreateCategory} submit="Create category" busy="Creating…" cancel="/admin/categories">
        <FormField label="Name" name="name" required maxLength={200} />
        <FormCombobox
          label="Parent"
          name="parent"
          defaultValue={rows.some(({ id }) => id === idOf(below)) ? String(below) : ""}
          none="None (top level)"
          options={categoryChoices(rows)}
        />
        <FormField label="URL slug" name="slug" hint="The part after /categories/. Leave empty to use the name." />
        <FormText label="Description" name="description" rows={3} hint="Shown to readers below the name." />
        <FormChoice
          label="Visibility"
          name="visibility"
          defaultValue="inherit"
          options={[
            { value: "inherit", name: "Same as parent or knowledge base" },
            { value: "everyone", name: "Everyone" },
            { value: "members", name: "Members only" },
          ]}
          hint="“Members only” also applies to all subcategories."
        />
      </Form>
    </AdminPage>
  );
}
