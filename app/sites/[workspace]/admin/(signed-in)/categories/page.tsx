import type { Metadata } from "next";
import { elsewhereWords, reachWords } from "@/components/admin/categories/answers";
import { CategoryTree } from "@/components/admin/categories/category-tree";
import { AdminPage, type Told } from "@/components/admin/page";
import { Button, ButtonLink } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
import { listCategoryTree, type TreeCategory } from "@/lib/categories/tree";
import { readWorkspace } from "@/lib/db";
import { requireMember } from "@/lib/session";
import { publicWorkspace } from "@/lib/site";
import { idOf, wordOf } from "../../_form";
import { createInTree, deleteInTree, editInTree, moveInTree, restoreInTree, submitRestore } from "./actions";

export const metadata: Metadata = { title: "Categories" };

interface Props {
  params: Promise<{ workspace: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function CategoriesPage({ params, searchParams }: Props) {
  const workspace = await publicWorkspace((await params).workspace);
  await requireMember(workspace.subdomain, "categories.manage");
  const asked = await searchParams;
  const rows = await readWorkspace(workspace.id, listCategoryTree);
  const create = <ButtonLink href="/admin/categories/new">Create category</ButtonLink>;
  return (
    <AdminPage
      title="Categories"
      about="Readers find articles by them, in this order. Drag a category to move it, or use the keys."
      action={rows.length > 0 && create}
      told={toldOf(asked, rows)}
    >
      {rows.length === 0 ? (
        <Empty title="No categories yet" action={create}>
          <p>Each article is in one category. Start with the questions that your readers come with.</p>
        </Empty>
      ) : (
        <CategoryTree
          rows={rows}
          membersOnly={workspace.visibility === "members"}
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

function toldOf(asked: Record<string, string | string[] | undefined>, rows: TreeCategory[]): Told | undefined {
  const close = "/admin/categories";
  const id = idOf(asked.of);
  const name = rows.find((row) => row.id === id)?.name;
  const done = wordOf(asked.done);
  const reach = reachWords(asked.reach);
  if (done === "deleted" && asked.into === undefined && id && name === undefined) {
    const undo = (
      <form action={submitRestore}>
        <input type="hidden" name="id" value={id} />
        <Button type="submit" look="plain" size="small">
          Undo
        </Button>
      </form>
    );
    return { text: "The category is deleted.", close, undo };
  }
  if (done === "lost") return { text: "The category cannot be brought back: create it anew.", close };
  if (name === undefined) return undefined;
  switch (done) {
    case "created":
      return { text: `“${name}” is created.`, close };
    case "deleted":
      return { text: `The category is deleted. What was in it is in “${name}”.${reach}`, close };
    case "merged":
      return { text: `It is merged into “${name}”, and its address leads there.${reach}`, close };
    case "back":
      return { text: `“${name}” is back where it was.`, close };
    case "stays":
      return { text: `“${name}” stays where it is: where it was has changed meanwhile.`, close };
    case "restored":
      return { text: `“${name}” is back.${elsewhereWords(Number(wordOf(asked.elsewhere)) || 0)}`, close };
    default:
      return undefined;
  }
}
