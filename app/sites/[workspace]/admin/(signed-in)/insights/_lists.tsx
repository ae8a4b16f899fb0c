import Link from "next/link";
import type { ReactNode } from "react";
import { ArticleTitle } from "@/components/admin/article-title";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { countOf, number } from "@/components/ui/count";
import { Moment } from "@/components/ui/moment";
import { draftsTitled } from "@/lib/articles/drafts";
import type { Read } from "@/lib/db";
import { newestReasons, type Reason, unhelpfulArticles } from "@/lib/insights/feedback";
import { brokenLinks } from "@/lib/insights/links";
import {
  type RisenArticle,
  risenArticles,
  type SearchTerm,
  searchTerms,
  type TermsOf,
} from "@/lib/insights/search-terms";
import { mostRead, type Part, unreadArticles } from "@/lib/insights/views";
import type { Permission } from "@/lib/members/roles";
import type { InsightRequest } from "./_request";
import { submitDraft } from "./actions";

/** A row in the table and in the CSV. */
export interface Row {
  key: string;
  cells: ReactNode[];
  values: (string | number | Date)[];
}

/** A list of insights: a few rows on the overview, all rows on its own page and in CSV. */
export interface InsightList {
  title: string;
  about: string;
  /** The name of the buttons' column is empty, and the CSV omits it. The overview shows the first two columns. */
  columns: string[];
  /** Whether the second column goes below the first on the overview, because it is long. */
  stacked?: boolean;
  /** Shown in place of an empty list. */
  empty: string;
  /** Whether the list shows the current state and has no period. */
  isOfNow?: boolean;
  /** @returns some rows, and the total number */
  load: (read: Read, request: InsightRequest, part: Part) => Promise<{ rows: Row[]; total: number }>;
}

/** By the name in the URL. */
export const lists = {
  "most-read": {
    title: "Most-read articles",
    about: "Each reader counts once per article per day.",
    columns: ["Article", "Views"],
    empty: "No views yet.",
    load: async (read, { utc, permissions }, part) => {
      const { rows, total } = await mostRead(read, utc, part);
      return {
        total,
        rows: rows.map((article) => ({
          key: article.id,
          cells: [<ArticleTitle key="article" article={article} permissions={permissions} />, number(article.views)],
          values: [article.title, article.views],
        })),
      };
    },
  },
  "without-result": {
    title: "Searches with no results",
    about: "These searches found nothing the last time someone made them.",
    columns: ["Search", "Count", "Last searched", ""],
    empty: "No searches came up empty.",
    load: async (read, request, part) => termRows(read, "nothing", request, part),
  },
  "top-searches": {
    title: "Top searches",
    about: "Searches that differ only in case or accents count as one.",
    columns: ["Search", "Count", "Last searched", ""],
    empty: "No searches yet.",
    load: async (read, request, part) => termRows(read, "all", request, part),
  },
  "nobody-opened": {
    title: "Searches without clicks",
    about: "Readers made these searches more than once but opened no result.",
    columns: ["Search", "Count", "Last searched", ""],
    empty: "No searches ended without a click.",
    load: async (read, request, part) => termRows(read, "unopened", request, part),
  },
  "did-not-help": {
    title: "Least helpful articles",
    about: "Articles with the most “No” answers to “Was this helpful?” come first.",
    columns: ["Article", "Not helpful", "Helpful"],
    empty: "No negative feedback.",
    load: async (read, { local, timeZone, permissions }, part) => {
      const { rows, total } = await unhelpfulArticles(read, local, timeZone, part);
      return {
        total,
        rows: rows.map((article) => ({
          key: article.id,
          cells: [
            <ArticleTitle key="article" article={article} permissions={permissions} />,
            number(article.no),
            number(article.yes),
          ],
          values: [article.title, article.no, article.yes],
        })),
      };
    },
  },
  reasons: {
    title: "Reader comments",
    about: "Anonymous feedback that names a problem or has a comment, newest first.",
    columns: ["Comment", "Article", "Helpful", "Time"],
    stacked: true,
    empty: "No comments yet.",
    load: async (read, { local, timeZone, now, permissions }, part) => {
      const { rows, total } = await newestReasons(read, local, timeZone, part);
      return {
        total,
        rows: rows.map((reason) => ({
          key: reason.feedbackId,
          cells: [
            <span key="reason" className="whitespace-pre-line wrap-anywhere">
              {wordsOf(reason)}
            </span>,
            <ArticleTitle key="article" article={reason} permissions={permissions} />,
            <Badge key="helped" tone={reason.helpful ? "good" : "bad"}>
              {reason.helpful ? "Yes" : "No"}
            </Badge>,
            <Moment key="at" at={reason.at} now={now} timeZone={timeZone} />,
          ],
          values: [wordsOf(reason), reason.title, reason.helpful ? "yes" : "no", reason.at],
        })),
      };
    },
  },
  unread: {
    title: "Articles with no views",
    about: "Published before this period and not viewed during it.",
    columns: ["Article", "Published", "Total views"],
    empty: "No articles went without views.",
    load: async (read, { utc, timeZone, now, permissions }, part) => {
      const { rows, total } = await unreadArticles(read, utc, part);
      return {
        total,
        rows: rows.map((article) => ({
          key: article.id,
          cells: [
            <ArticleTitle key="article" article={article} permissions={permissions} />,
            <Moment key="at" at={article.publishedAt} now={now} timeZone={timeZone} />,
            number(article.views),
          ],
          values: [article.title, article.publishedAt, article.views],
        })),
      };
    },
  },
  "broken-links": {
    title: "Broken links",
    about: "Broken internal links and images in published articles.",
    columns: ["Article", "URL", "Type"],
    stacked: true,
    empty: "No broken links.",
    isOfNow: true,
    load: async (read, { origin, permissions }, part) => {
      const { rows, total } = await brokenLinks(read, origin, part);
      return {
        total,
        rows: rows.map((link) => ({
          key: link.linkId,
          cells: [
            <ArticleTitle key="article" article={link} link={link.href} permissions={permissions} />,
            <code key="href" className="wrap-anywhere">
              {link.href}
            </code>,
            link.kind === "image" ? "Image" : "Link",
          ],
          values: [link.title, link.href, link.kind === "image" ? "image" : "link"],
        })),
      };
    },
  },
} satisfies Record<string, InsightList>;

export type ListName = keyof typeof lists;

/** The list of that name, or null. */
export function listNamed(name: string): InsightList | null {
  return Object.hasOwn(lists, name) ? lists[name as ListName] : null;
}

const choices = {
  missing: "Information is missing.",
  unclear: "Hard to understand.",
  outdated: "Inaccurate or outdated.",
  other: "Something else.",
};

function wordsOf({ choice, reason }: Reason): string {
  return [choice && choices[choice], reason].filter(Boolean).join(" ");
}

async function termRows(
  read: Read,
  kind: TermsOf,
  request: InsightRequest,
  part: Part,
): Promise<{ rows: Row[]; total: number }> {
  const found = await searchTerms(read, [kind], request.local, request.timeZone, part);
  return rowsOfTerms(read, kind, found[kind], request);
}

/** Turns search terms into rows. */
export async function rowsOfTerms(
  read: Read,
  kind: TermsOf,
  { rows, total }: { rows: SearchTerm[]; total: number },
  request: InsightRequest,
): Promise<{ rows: Row[]; total: number }> {
  const terms = rows.map(({ term }) => term);
  const drafted = kind === "nothing" && terms.length > 0 ? await draftsTitled(read, terms) : new Set<string>();
  const risen = kind === "all" ? await risenArticles(read, terms) : new Map<string, RisenArticle[]>();
  const { now, timeZone, permissions } = request;
  return {
    total,
    rows: rows.map(({ term, times, lastAt }) => ({
      key: term,
      cells: [
        <span key="term" className="wrap-anywhere">
          <span className="font-medium">{term}</span>
          {risen.get(term)?.map((article) => (
            <Risen key={article.id} article={article} permissions={permissions} />
          ))}
        </span>,
        number(times),
        <Moment key="last" at={lastAt} now={now} timeZone={timeZone} />,
        ...(kind === "all" ? [permissions.includes("settings.manage") && <Explain key="do" term={term} />] : []),
        ...(kind === "nothing" ? [<Missing key="do" term={term} drafted={drafted.has(term)} request={request} />] : []),
        ...(kind === "unopened"
          ? [
              <a key="do" href={`/search?q=${encodeURIComponent(term)}`}>
                View results
              </a>,
            ]
          : []),
      ],
      values: [term, times, lastAt],
    })),
  };
}

/** An article that readers' clicks moved to the top of a search's results. */
function Risen({ article, permissions }: { article: RisenArticle; permissions: Permission[] }) {
  return (
    <span className="block text-text-muted">
      <ArticleTitle article={{ ...article, published: true }} permissions={permissions} /> comes first, opened{" "}
      {countOf(article.readers, "time")}
    </span>
  );
}

function Explain({ term }: { term: string }) {
  return (
    <Link
      href={`/admin/synonyms?${new URLSearchParams({ try: term })}`}
      prefetch={false}
      aria-label={`Explain the results of “${term}”`}
    >
      Explain
    </Link>
  );
}

/** The actions for a search without results. */
function Missing({ term, drafted, request }: { term: string; drafted: boolean; request: InsightRequest }) {
  const { permissions, period } = request;
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1.5 md:justify-end">
      {permissions.includes("settings.manage") && (
        <Link
          href={`/admin/synonyms/new?term=${encodeURIComponent(term)}`}
          prefetch={false}
          aria-label={`Add synonym for “${term}”`}
        >
          Add synonym
        </Link>
      )}
      {drafted ? (
        <Badge tone="quiet">Draft exists</Badge>
      ) : (
        permissions.includes("articles.write") && (
          <form action={submitDraft}>
            <input type="hidden" name="title" value={term} />
            <input type="hidden" name="period" value={period} />
            <Button type="submit" look="plain" size="small" aria-label={`Write article “${term}”`}>
              Write article
            </Button>
          </form>
        )
      )}
    </span>
  );
}
