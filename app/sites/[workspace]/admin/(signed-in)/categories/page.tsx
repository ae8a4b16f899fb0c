import type { Metadata } from "next";
import { CategoryTree } from "@/components/admin/categories/category-tree";
import { AdminPage } from "@/components/admin/page";
import { ButtonLink } from "@/components/ui/button-link";
import { Empty } from "@/components/ui/empty";
import { listCategoryTree } from "@/lib/categories/tree";
import { readWorkspace } from "@/lib/db";
import { requireMember } from "@/lib/session";
import { createInTree, deleteInTree, editInTree, moveInTree, restoreInTree } from "./actions";

export const metadata: Metadata = { title: "Categories" };

export default async function CategoriesPage() {
  const { workspace, member } = await requireMember("categories.manage");
  const rows = await readWorkspace(workspace.id, listCategoryTree);
  const create = <ButtonLink href="/admin/categories/new">Create category</ButtonLink>;
  return (
    <AdminPage
      title="Categories"
      about={rows.length > 0 && "Drag categories to reorder or nest them."}
      action={rows.length > 0 && create}
    >
      {rows.length === 0 ? (
        <Empty title="No categories yet" action={create}>
          <p>Every article belongs to a category.</p>
        </Empty>
      ) : (
        <CategoryTree
          rows={rows}
          membersOnly={workspace.visibility === "members"}
          mayWrite={member.permissions.includes("articles.write")}
          actions={{
            move: moveInTree,
            edit: editInTree,
            create: createInTree,
            remove: deleteInTree,
            restore: restoreInTree,
          }}
        />
      )}
    </AdminPage>
  );
}
