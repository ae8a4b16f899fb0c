import { textFields } from "@/lib/articles/article-text";
import { firstParagraph } from "@/lib/content/first-paragraph";

/** What tells of an article in lists: see `summaryOf`. */
export interface Summarized {
  description: string | null;
  /** The beginning of the HTML, when there is no description. */
  beginning: string | null;
}

const BEGINNING = 6_000;
const description = `nullif(trim(l.${textFields.metaDescription.column}), '')`;

/** SQL for the columns of `Summarized`. `l` is the article's row in article_live. */
export const summaryColumns = `${description} AS description,
  CASE WHEN ${description} IS NULL THEN left(coalesce(l.shown_html, l.html), ${BEGINNING}) END AS beginning`;

/** An article's description, else its first paragraph. */
export function summaryOf({ description, beginning }: Summarized): string {
  return description ?? firstParagraph(beginning ?? "");
}

/** Replaces the columns of `Summarized` by the summary. */
export function summarized<Row extends Summarized>({ description, beginning, ...row }: Row) {
  return { ...row, summary: summaryOf({ description, beginning }) };
}
