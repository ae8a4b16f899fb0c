import type { Place } from "@/components/admin/categories/tree";
import type { Refused } from "@/components/ui/changes";
import type { OrderedArticle, TreeCategory } from "@/lib/categories/tree";

/** Whether others than before may read what was moved. */
type Reach = "opened" | "closed" | null;

/** Who may read now what could not be read by them before, as a message goes on. */
export function reachWords(reach: unknown): string {
  if (reach === "opened") return " Everyone can read what is in it now.";
  return reach === "closed" ? " Only members can read what is in it now." : "";
}

/** How many former addresses of what came back did not, as a message goes on. */
export function elsewhereWords(count: number, paths: readonly string[] = []): string {
  if (count === 0) return "";
  const named = paths.length === 0 ? "" : `: ${paths.slice(0, 5).join(", ")}${paths.length > 5 ? " …" : ""}`;
  if (count === 1) return ` One of its former addresses leads elsewhere by now, and still does${named || "."}`;
  return ` ${count} of its former addresses lead elsewhere by now, and still do${named || "."}`;
}

type Answer<T> = Promise<T | Refused<TreeCategory[]>>;

/** What is answered of a category that was made or changed. */
type Written = Pick<TreeCategory, "id" | "name" | "slug" | "seen">;

/** What the tree has done, each by an action of the page. */
export interface TreeActions {
  move: (asked: { id: string; from?: { parentId: string | null }; to: Place }) => Answer<{ reach: Reach }>;
  edit: (asked: { id: string; name: string; slug: string; seen: number }) => Answer<Written>;
  create: (asked: Place & { name: string }) => Answer<Written>;
  /** Of an empty one. */
  remove: (asked: { id: string }) => Answer<{ name: string }>;
  restore: (asked: { id: string }) => Answer<{ rows: TreeCategory[]; elsewhere: string[] }>;
}

/** What the list of a category's articles has done. */
export interface ArticleActions {
  move: (asked: {
    id: string;
    article: string;
    before: string | null;
  }) => Promise<{ back: string | null } | Refused<OrderedArticle[]>>;
}
