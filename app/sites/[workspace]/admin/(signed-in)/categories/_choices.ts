import { branchOf, childrenOf, pathTo } from "@/components/admin/categories/tree";
import type { ComboboxOption } from "@/components/ui/combobox";
import { countOf } from "@/components/ui/count";
import type { CategoryDetails, TreeCategory } from "@/lib/categories/tree";

/** The maximum number of articles that the page of a category can reorder. */
export const MOST_ARTICLES = 1_000;

/**
 * The categories as choices, each with the path to it, in tree order.
 * @param without this category and its subcategories
 */
export function categoryChoices(rows: TreeCategory[], without?: string): ComboboxOption[] {
  const left = without === undefined ? new Set<string>() : branchOf(rows, without);
  const children = childrenOf(rows);
  const choices: ComboboxOption[] = [];
  const add = (parentId: string | null, path: string) => {
    for (const { id, name } of children.get(parentId) ?? []) {
      if (left.has(id)) continue;
      choices.push({ value: id, name, ...(path && { note: path }) });
      add(id, path ? `${path} / ${name}` : name);
    }
  };
  add(null, "");
  return choices;
}

/** The choices of a category's readers; "inherit" says its effect at this position. */
export function visibilityChoices(rows: TreeCategory[], parentId: string | null, membersOnly: boolean) {
  const path = pathTo(rows, parentId);
  const closing = path.find(({ visibility }) => visibility === "members");
  const closed = closing !== undefined || (membersOnly && path[0]?.visibility !== "everyone");
  const whom = closed ? "members only" : "everyone";
  const above = path.length > 0 ? "Same as parent category" : "Same as knowledge base";
  return {
    options: [
      { value: "inherit", name: `${above} (${whom})` },
      { value: "everyone", name: "Everyone" },
      { value: "members", name: "Members only" },
    ],
    hint:
      closed && path.length > 0
        ? `${closing ? `“${closing.name}”` : "The knowledge base"} is members-only, so this category is too.`
        : "“Members only” also applies to all subcategories.",
  };
}

/** The breadcrumbs of a category page. */
export function breadcrumbsTo(category?: CategoryDetails): { href: string; name: string }[] {
  const list = { href: "/admin/categories", name: "Categories" };
  return category ? [list, { href: `/admin/categories/${category.id}`, name: category.name }] : [list];
}

export function contentsOf({ published, drafts }: CategoryDetails, below: number): string {
  const parts = [
    ...(published + drafts > 0 ? [countOf(published + drafts, "article")] : []),
    ...(below > 0 ? [countOf(below, "subcategory", "subcategories")] : []),
  ];
  return parts.join(" and ");
}
