import Link from "next/link";
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { countOf, number } from "@/components/ui/count";
import { Moment } from "@/components/ui/moment";
import { State } from "@/components/ui/state";
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
import { type ArticleNamed, mostRead, type Part, unreadArticles } from "@/lib/insights/views";
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
  /** @returns some rows, and the total number */
  load: (read: Read, request: InsightRequest, part: Part) => Promise<{ rows: Row[]; total: number }>;
}

/** By the name in the URL. */
export const lists = {
  "most-read": {
    title: "Most read articles",
    about: "How many people opened each article: each counts once a day.",
    columns: ["Article", "Views"],
    empty: "Nothing has been read yet. As soon as somebody opens an article, it is here.",
    load: async (read, { utc }, part) => {
      const { rows, total } = await mostRead(read, utc, part);
      return {
        total,
        rows: rows.map((article) => ({
          key: article.id,
          cells: [<ArticleLink key="article" article={article} />, number(article.views)],
          values: [article.title, article.views],
        })),
      };
    },
  },
  "without-result": {
    title: "Searches without a result",
    about:
      "What people searched for and did not find, the last time too. Write it, or say which word of yours means the same.",
    columns: ["Search", "Times", "Last", ""],
    empty: "No search came back empty.",
    load: async (read, request, part) => termRows(read, "nothing", request, part),
  },
  "top-searches": {
    title: "What people search for",
    about: "All searches, however they are spelled, the most frequent first.",
    columns: ["Search", "Times", "Last", ""],
    empty: "Nobody has searched yet. What people type into the search of your site is here a moment later.",
    load: async (read, request, part) => termRows(read, "all", request, part),
  },
  "nobody-opened": {
    title: "Searches that nobody opened anything of",
    about:
      "Searched for more than once, something was found, and nobody opened any of it. A title that says what the article is about helps.",
    columns: ["Search", "Times", "Last", ""],
    empty: "No search was left without an article being opened.",
    load: async (read, request, part) => termRows(read, "unopened", request, part),
  },
  "did-not-help": {
    title: "Articles that did not help",
    about: "Where readers said that an article did not help them, the most frequent first.",
    columns: ["Article", "Did not help", "Helped"],
    empty: "No reader has said that an article did not help.",
    load: async (read, { local, timeZone }, part) => {
      const { rows, total } = await unhelpfulArticles(read, local, timeZone, part);
      return {
        total,
        rows: rows.map((article) => ({
          key: article.id,
          cells: [<ArticleLink key="article" article={article} />, number(article.no), number(article.yes)],
          values: [article.title, article.no, article.yes],
        })),
      };
    },
  },
  reasons: {
    title: "What readers say",
    about: "The reasons that readers gave below an article, the newest first. Nobody is told who they are.",
    columns: ["Reason", "Article", "Helped", "When"],
    stacked: true,
    empty: "No reasons yet. Below each article, readers are asked whether it helped, and why not.",
    load: async (read, { local, timeZone, now }, part) => {
      const { rows, total } = await newestReasons(read, local, timeZone, part);
      return {
        total,
        rows: rows.map((reason) => ({
          key: reason.feedbackId,
          cells: [
            <span key="reason" className="whitespace-pre-line wrap-anywhere">
              {wordsOf(reason)}
            </span>,
            <ArticleLink key="article" article={reason} />,
            <State key="helped" tone={reason.helpful ? "good" : "bad"}>
              {reason.helpful ? "Yes" : "No"}
            </State>,
            <Moment key="at" at={reason.at} now={now} timeZone={timeZone} />,
          ],
          values: [wordsOf(reason), reason.title, reason.helpful ? "yes" : "no", reason.at],
        })),
      };
    },
  },
  unread: {
    title: "Articles that nobody finds",
    about:
      "They were there for readers all the time, and nobody opened them. A clearer title, a link from a related article or another category may help.",
    columns: ["Article", "Published", "Views ever"],
    empty: "No article was there for the whole time without being opened.",
    load: async (read, { utc, timeZone, now }, part) => {
      const { rows, total } = await unreadArticles(read, utc, part);
      return {
        total,
        rows: rows.map((article) => ({
          key: article.id,
          cells: [
            <ArticleLink key="article" article={article} />,
            <Moment key="at" at={article.publishedAt} now={now} timeZone={timeZone} />,
            number(article.views),
          ],
          values: [article.title, article.publishedAt, article.views],
        })),
      };
    },
  },
  "broken-links": {
    title: "Links that lead nowhere",
    about:
      "Links and pictures in published articles whose address on this site is that of nothing. Links to other sites are not tried.",
    columns: ["Article", "Leads to", "Kind"],
    stacked: true,
    empty: "Every link between your articles leads somewhere.",
    load: async (read, { origin }, part) => {
      const { rows, total } = await brokenLinks(read, origin, part);
      return {
        total,
        rows: rows.map((link) => ({
          key: link.linkId,
          cells: [
            <ArticleLink key="article" article={link} />,
            <code key="href" className="wrap-anywhere">
              {link.href}
            </code>,
            link.kind === "image" ? "Picture" : "Link",
          ],
          values: [link.title, link.href, link.kind === "image" ? "picture" : "link"],
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

/** Links to the article for readers while they can see it. */
function ArticleLink({ article }: { article: ArticleNamed }) {
  if (!article.published)
    return (
      <>
        {article.title} <State tone="quiet">Draft</State>
      </>
    );
  return (
    <a href={`/articles/${article.slug}`} className="font-medium">
      {article.title}
    </a>
  );
}

const choices = {
  missing: "Something is missing.",
  unclear: "It is hard to understand.",
  outdated: "It is out of date.",
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
            <Risen key={article.slug} article={article} />
          ))}
        </span>,
        number(times),
        <Moment key="last" at={lastAt} now={now} timeZone={timeZone} />,
        ...(kind === "all" ? [permissions.includes("settings.manage") && <Explain key="do" term={term} />] : []),
        ...(kind === "nothing" ? [<Missing key="do" term={term} drafted={drafted.has(term)} request={request} />] : []),
        ...(kind === "unopened"
          ? [
              <a key="do" href={`/search?q=${encodeURIComponent(term)}`}>
                See what it finds
              </a>,
            ]
          : []),
      ],
      values: [term, times, lastAt],
    })),
  };
}

/** An article that readers' clicks moved to the top of a search's results. */
function Risen({ article: { slug, title, readers } }: { article: RisenArticle }) {
  return (
    <span className="block text-text-muted">
      <a href={`/articles/${slug}`}>{title}</a> comes first: opened by {countOf(readers, "reader")}
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
          aria-label={`Make a synonym of “${term}”`}
        >
          Make a synonym
        </Link>
      )}
      {drafted ? (
        <State tone="quiet">There is a draft</State>
      ) : (
        permissions.includes("articles.write") && (
          <form action={submitDraft}>
            <input type="hidden" name="title" value={term} />
            <input type="hidden" name="period" value={period} />
            <Button type="submit" look="plain" size="small" aria-label={`Write “${term}”`}>
              Write it
            </Button>
          </form>
        )
      )}
    </span>
  );
}
