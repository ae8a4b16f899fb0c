import type { Metadata } from "next";
import { AdminPage } from "@/components/admin/page";
import { ButtonLink } from "@/components/ui/button";
import { Form, FormChoice, FormCombobox, FormField, FormText } from "@/components/ui/form";
import { listCategoryTree } from "@/lib/categories/tree";
import { readWorkspace } from "@/lib/db";
import { requireMember } from "@/lib/session";
import { idOf, type Query } from "../../../_form";
import { breadcrumbsTo, categoryChoices } from "../_choices";
import { submitCreateCategory } from "../actions";

export const metadata: Metadata = { title: "Create a category" };

export default async function NewCategoryPage({ searchParams }: { searchParams: Promise<Query> }) {
  const { workspace } = await requireMember("categories.manage");
  const { below } = await searchParams;
  const rows = await readWorkspace(workspace.id, listCategoryTree);
  return (
    <AdminPage title="Create a category" path={breadcrumbsTo()}>
      <Form
        action={submitCreateCategory}
        submit="Create category"
        busy="Creating …"
        beside={
          <ButtonLink href="/admin/categories" look="plain">
            Cancel
          </ButtonLink>
        }
      >
        <FormField label="Name" name="name" required maxLength={200} />
        <FormCombobox
          label="Place"
          name="parent"
          defaultValue={rows.some(({ id }) => id === idOf(below)) ? String(below) : ""}
          none="At the top"
          options={categoryChoices(rows)}
          hint="It comes after those that are there. It can be moved at any time."
        />
        <FormField
          label="Address"
          name="slug"
          hint="What stands in the address of its page, after /categories/. Left empty, it is made of the name."
        />
        <FormText label="Description" name="description" rows={3} hint="Shown to readers below the name." />
        <FormChoice
          label="Who may read"
          name="visibility"
          defaultValue="inherit"
          options={[
            { value: "inherit", name: "As where it is put" },
            { value: "everyone", name: "Everyone" },
            { value: "members", name: "Members only" },
          ]}
          hint="“Members only” closes everything below it too."
        />
      </Form>
    </AdminPage>
  );
}
