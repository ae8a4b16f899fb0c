import type { Place } from "@/components/admin/categories/tree";
import type { Refused } from "@/components/ui/changes";
import type { OrderedArticle, TreeCategory } from "@/lib/categories/tree";

/** Whether a move changed who can read the articles. */
type Reach = "opened" | "closed" | null;

/** Continues a message with who can read the articles now. */
export function reachWords(reach: unknown): string {
  if (reach === "opened") return " Everyone can read it now.";
  return reach === "closed" ? " Only members can read it now." : "";
}

/** Continues a message with the number of former URLs that were not restored. */
export function elsewhereWords(count: number, paths: readonly string[] = []): string {
  if (count === 0) return "";
  const named = paths.length === 0 ? "" : `: ${paths.slice(0, 5).join(", ")}${paths.length > 5 ? "…" : ""}`;
  if (count === 1) return ` One of its old URLs redirects elsewhere now, so that URL wasn't restored${named || "."}`;
  return ` ${count} of its old URLs redirect elsewhere now, so those URLs weren't restored${named || "."}`;
}

type Answer<T> = Promise<T | Refused<TreeCategory[]>>;

type Written = Pick<TreeCategory, "id" | "name" | "slug" | "seen">;

export interface TreeActions {
  move: (input: { id: string; from?: { parentId: string | null }; to: Place }) => Answer<{ reach: Reach }>;
  edit: (input: { id: string; name: string; slug: string; seen: number }) => Answer<Written>;
  create: (input: Place & { name: string }) => Answer<Written>;
  /** Only empty categories can be deleted. */
  remove: (input: { id: string }) => Answer<{ name: string }>;
  restore: (input: { id: string }) => Answer<{ rows: TreeCategory[]; elsewhere: string[] }>;
}

export interface ArticleActions {
  move: (input: {
    id: string;
    article: string;
    before: string | null;
  }) => Promise<{ back: string | null } | Refused<OrderedArticle[]>>;
}
