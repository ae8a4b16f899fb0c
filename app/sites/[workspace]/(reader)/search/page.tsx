import type { Metadata } from "next";
import { headers } from "next/headers";
import { AlsoSearched } from "@/components/reader/also-searched";
import { SearchForm } from "@/components/reader/search-form";
import { NothingFound, SearchResults } from "@/components/reader/search-results";
import { noteSearch } from "@/lib/analytics/search-log";
import { takeLimit } from "@/lib/counters";
import { currentRequest } from "@/lib/http/request";
import { setStatus } from "@/lib/http/status";
import { alsoSearched } from "@/lib/reader/also-searched";
import { publishedNav } from "@/lib/reader/published-categories";
import { PAGE_SIZE, searchedText, searchPublished } from "@/lib/reader/published-search";
import { wordsFor } from "@/lib/reader/words";
import { say } from "@/lib/say";
import { vectorOf } from "@/lib/search/embeddings";
import { readAsVisitor } from "@/lib/session";
import { contactLink } from "@/lib/settings/site-fields";
import { type PublicWorkspace, publicWorkspace } from "@/lib/site";
import { Frame } from "../_frame";
import { requireMembersOnly } from "../_unknown";

const LAST_PAGE = 50;

interface Props {
  params: Promise<{ workspace: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export async function generateMetadata({ params, searchParams }: Props): Promise<Metadata> {
  const { text } = parseQuery(await searchParams);
  const { name, language: tag } = await publicWorkspace((await params).workspace);
  const { language, search, home } = wordsFor(tag);
  return {
    title: text ? say(language, search.title, { text }) : search.label,
    description: say(language, home.about, { name }),
    robots: { index: false },
  };
}

/** `/search?q=&page=`: the results of the search form. */
export default async function SearchPage({ params, searchParams }: Props) {
  const workspace = await publicWorkspace((await params).workspace);
  const { text, page } = parseQuery(await searchParams);
  const client = (await headers()).get("x-forwarded-for");
  const wait = text ? await takeLimit("resultPage", { workspace: workspace.id, network: client }) : null;
  const vector = text && wait === null ? await vectorOf(text) : null;
  const { found, others, nav } = await readAsVisitor(workspace, async (snapshot) => ({
    found:
      wait === null
        ? await searchPublished(snapshot, workspace.id, text, {
            limit: PAGE_SIZE,
            offset: (page - 1) * PAGE_SIZE,
            vector,
          })
        : null,
    others: wait === null && page === 1 ? await alsoSearched(snapshot, workspace, text) : [],
    nav: await publishedNav(snapshot),
  }));
  await requireMembersOnly(workspace, nav);
  if (wait !== null) setStatus(429, { "Retry-After": String(wait) });
  const words = wordsFor(workspace.language);
  const { language, region } = words;
  const search = found && text && page === 1 ? remembered(workspace, text, found.total) : undefined;
  return (
    <Frame workspace={workspace} nav={nav} searched={text}>
      <div className="max-w-[44rem]">
        <h1 className="text-2xl wrap-anywhere" {...region}>
          {text ? say(language, words.search.results, { text }) : words.search.prompt}
        </h1>
        {/* The header has no room for it on a phone. */}
        <div className="mt-5 md:hidden">
          <SearchForm text={text} words={words} />
        </div>
        {wait !== null && (
          <p className="mt-4" {...region}>
            {say(language, words.search.tooFast, { count: wait })}
          </p>
        )}
        {text !== "" && found?.total === 0 && (
          <NothingFound text={text} categories={nav} contact={contactLink(workspace.contact)} words={words} />
        )}
        {found && found.total > 0 && (
          <SearchResults
            found={found}
            page={page}
            pages={Math.min(Math.ceil(found.total / PAGE_SIZE), LAST_PAGE)}
            first={(page - 1) * PAGE_SIZE + 1}
            search={search}
            words={words}
          />
        )}
        <AlsoSearched terms={others} words={words} />
      </div>
    </Frame>
  );
}

function parseQuery(params: Awaited<Props["searchParams"]>): { text: string; page: number } {
  const one = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value) ?? "";
  const page = /^\d{1,9}$/.test(one(params.page)) ? Number(one(params.page)) : 1;
  return { text: searchedText(one(params.q)), page: Math.min(Math.max(page, 1), LAST_PAGE) };
}

/** Logs the search if a person sees the page. The returned id is for logging opened results. */
function remembered(workspace: PublicWorkspace, term: string, total: number): string | undefined {
  const isSeen = currentRequest()?.seen === true;
  return workspace.searchLogEnabled && isSeen ? noteSearch(workspace.id, { term, total }) : undefined;
}
