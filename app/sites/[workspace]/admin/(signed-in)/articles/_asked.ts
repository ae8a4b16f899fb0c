import {
  type UntouchedBy,
  untouchedBy,
  type WrittenFilter,
  type WrittenSort,
  type WrittenState,
  writtenStates,
} from "@/lib/articles/list";
import { addressWith, wordOf } from "../../_form";

type Query = Record<string, string | string[] | undefined>;

/** What is asked of the list, by the names that its address has. */
const names = ["q", "state", "category", "author", "tag", "without", "sort"] as const;
export type Asked = Record<(typeof names)[number], string>;

/** What is shown in place of articles that are there: those that can still be brought back. */
export const DELETED = "deleted";

export const stateNames: Record<WrittenState | typeof DELETED, string> = {
  draft: "Draft",
  published: "Published",
  changed: "Published, with changes",
  scheduled: "Scheduled",
  deleted: "Deleted",
};

export const withoutNames: Record<UntouchedBy, string> = { views: "Never viewed", feedback: "No feedback" };

/** The sorts that can be chosen, as lib/articles/list.ts knows them. */
export const sorts: Record<string, { name: string; sort: WrittenSort; backwards?: boolean }> = {
  "": { name: "Last changed first", sort: "changed" },
  oldest: { name: "Longest unchanged first", sort: "changed", backwards: true },
  title: { name: "Title", sort: "title" },
  views: { name: "Most viewed first", sort: "views" },
  unviewed: { name: "Least viewed first", sort: "views", backwards: true },
  created: { name: "Newest first", sort: "created" },
};

/** What an address asks for; what is not understood is as if it were not asked. */
export function askedOf(query: Query): Asked {
  const asked = Object.fromEntries(names.map((name) => [name, wordOf(query[name])])) as Asked;
  if (!Object.hasOwn(stateNames, asked.state)) asked.state = "";
  if (!Object.hasOwn(withoutNames, asked.without)) asked.without = "";
  if (!Object.hasOwn(sorts, asked.sort)) asked.sort = "";
  // What is deleted has a title alone.
  if (asked.state === DELETED) return { ...askedOf({}), q: asked.q, state: DELETED };
  return asked;
}

export function filterOf(asked: Asked): WrittenFilter {
  return {
    search: asked.q || undefined,
    state: writtenStates.find((state) => state === asked.state),
    categoryId: asked.category || undefined,
    authorId: asked.author || undefined,
    tagId: asked.tag || undefined,
    without: untouchedBy.find((nobody) => nobody === asked.without),
  };
}

/** The address of the list as it was asked for, which a form carries along, with what came of the form. */
export function listAddress(from: string, told: Record<string, string | number | undefined> = {}): string {
  const query = new URLSearchParams(from);
  const page = query.get("page") ?? "";
  return addressWith("/admin/articles", {
    ...askedOf(Object.fromEntries(query)),
    page: /^[1-9]\d{0,5}$/.test(page) ? page : undefined,
    ...told,
  });
}
