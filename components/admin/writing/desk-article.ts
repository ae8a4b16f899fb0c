import type { SnippetChoice } from "@/components/admin/editor/parts/snippets";
import type { ComboboxOption } from "@/components/ui/combobox";

/** The article on the writing page, without its text. */
export interface DeskArticle {
  id: string;
  state: "draft" | "published";
  permalink: string;
  category: { id: string; name: string };
  author: { id: string; name: string };
  schedule: { at: string; isHeld: boolean } | null;
  /** Whether the member may change category, author and slug, and delete the article. */
  mayChange: boolean;
  mayPublish: boolean;
  mayManageCategories: boolean;
}

export interface DeskChoices {
  categories: ComboboxOption[];
  authors: { value: string; name: string }[];
  /** Whether there are more members than choices. */
  hasOtherAuthors: boolean;
  tags: string[];
  /** Names and beginnings of texts. */
  snippets: SnippetChoice[];
}

/** The id of the drawer with the properties. */
export const DETAILS = "details";

/** The authors to choose from, with the present one, who may have left. */
export function withAuthor(authors: DeskChoices["authors"], { id, name }: DeskArticle["author"]) {
  return authors.some(({ value }) => value === id) ? authors : [{ value: id, name }, ...authors];
}
