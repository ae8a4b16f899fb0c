import {
  type UntouchedBy,
  untouchedBy,
  type WrittenFilter,
  type WrittenSort,
  type WrittenState,
  writtenStates,
} from "@/lib/articles/list";
import { addressWith, type Query, wordOf } from "../../_form";

/** The names of the filters and the sort in the URL. */
const names = ["q", "state", "category", "author", "tag", "without", "sort"] as const;
export type ListQuery = Record<(typeof names)[number], string>;

export const stateNames: Record<WrittenState, string> = {
  draft: "Draft",
  published: "Published",
  changed: "Unpublished changes",
  scheduled: "Scheduled",
  held: "On hold",
};

export const withoutNames: Record<UntouchedBy, string> = { views: "No views", feedback: "No feedback" };

interface ListSort {
  sort: WrittenSort;
  direction: "ascending" | "descending";
}

/** By their names in the URL, as lib/articles/list.ts knows them. */
const sorts: Record<string, ListSort> = {
  "": { sort: "changed", direction: "descending" },
  oldest: { sort: "changed", direction: "ascending" },
  title: { sort: "title", direction: "ascending" },
  "title-down": { sort: "title", direction: "descending" },
  views: { sort: "views", direction: "descending" },
  unviewed: { sort: "views", direction: "ascending" },
};

/** The order of the list, by its name in the URL. */
export function sortOf(name: string): { sort: WrittenSort; backwards: boolean } {
  const { sort = "changed", direction } = sorts[name] ?? {};
  return { sort, backwards: direction !== sorts[sortBy(sort, "none").name]?.direction };
}

/** The sort of a column's head: the list's own turned around, or the column's first. */
export function sortBy(
  column: WrittenSort,
  current: string,
): { name: string; direction: ListSort["direction"] | null } {
  const names = Object.keys(sorts).filter((name) => sorts[name]?.sort === column);
  const isCurrent = names.includes(current);
  const name = names.find((name) => name !== current) ?? "";
  return {
    name: isCurrent ? name : (names[0] ?? ""),
    direction: isCurrent ? (sorts[current]?.direction ?? null) : null,
  };
}

/** Reads the list's query from a URL. Unknown values count as empty. */
export function listQueryOf(query: Query): ListQuery {
  const list = Object.fromEntries(names.map((name) => [name, wordOf(query[name])])) as ListQuery;
  if (!Object.hasOwn(stateNames, list.state)) list.state = "";
  if (!Object.hasOwn(withoutNames, list.without)) list.without = "";
  if (!Object.hasOwn(sorts, list.sort)) list.sort = "";
  return list;
}

export function filterOf(list: ListQuery): WrittenFilter {
  return {
    search: list.q || undefined,
    state: writtenStates.find((state) => state === list.state),
    categoryId: list.category || undefined,
    authorId: list.author || undefined,
    tagId: list.tag || undefined,
    without: untouchedBy.find((kind) => kind === list.without),
  };
}

/** The URL of the list with the query that a form carried along. */
export function listAddress(from: string, more: Record<string, string | undefined> = {}): string {
  const query = new URLSearchParams(from);
  const page = query.get("page") ?? "";
  return addressWith("/admin/articles", {
    ...listQueryOf(Object.fromEntries(query)),
    page: /^[1-9]\d{0,5}$/.test(page) ? page : undefined,
    ...more,
  });
}
