import type { Metadata } from "next";
import { headers } from "next/headers";
import { AlsoSearched } from "@/components/reader/also-searched";
import { NothingFound, SearchResults } from "@/components/reader/search-results";
import { noteSearch } from "@/lib/analytics/search-log";
import { takeLimit } from "@/lib/counters";
import { currentRequest } from "@/lib/http/request";
import { setStatus } from "@/lib/http/status";
import { alsoSearched } from "@/lib/reader/also-searched";
import { publishedNav } from "@/lib/reader/published-categories";
import { PAGE_SIZE, searchedText, searchPublished } from "@/lib/reader/published-search";
import { readAsVisitor } from "@/lib/session";
import { type PublicWorkspace, publicWorkspace } from "@/lib/site";
import { Frame } from "../_frame";
import { requireMembersOnly } from "../_unknown";

const LAST_PAGE = 50;

interface Props {
  params: Promise<{ workspace: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export async function generateMetadata({ searchParams }: Props): Promise<Metadata> {
  const { text } = parseQuery(await searchParams);
  return { title: text ? `Search: ${text}` : "Search", robots: { index: false } };
}

/** `/search?q=&page=`: the results of the search form. */
export default async function SearchPage({ params, searchParams }: Props) {
  const workspace = await publicWorkspace((await params).workspace);
  const { text, page } = parseQuery(await searchParams);
  const client = (await headers()).get("x-forwarded-for");
  const wait = text ? await takeLimit("resultPage", { workspace: workspace.id, network: client }) : null;
  const { found, others, nav } = await readAsVisitor(workspace, async (snapshot) => ({
    found:
      wait === null
        ? await searchPublished(snapshot, workspace.id, text, { limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE })
        : null,
    others: wait === null && page === 1 ? await alsoSearched(snapshot, workspace, text) : [],
    nav: await publishedNav(snapshot),
  }));
  await requireMembersOnly(workspace, nav);
  if (wait !== null) setStatus(429, { "Retry-After": String(wait) });
  const search = found && text && page === 1 ? remembered(workspace, text, found.total) : undefined;
  return (
    <Frame workspace={workspace} nav={nav} searched={text}>
      <div className="max-w-[44rem]">
        <h1 className="text-2xl wrap-anywhere">{text ? `Results for “${text}”` : "Search"}</h1>
        {text === "" && (
          <p className="mt-4">Type what you are looking for into the search field, a few words are enough.</p>
        )}
        {wait !== null && (
          <p className="mt-4">
            Too many searches came from your address, so this one was not made. Search again in {wait}{" "}
            {wait === 1 ? "second" : "seconds"}.
          </p>
        )}
        {text !== "" && found?.total === 0 && <NothingFound text={text} categories={nav} />}
        {found && found.total > 0 && (
          <SearchResults
            found={found}
            page={page}
            pages={Math.min(Math.ceil(found.total / PAGE_SIZE), LAST_PAGE)}
            first={(page - 1) * PAGE_SIZE + 1}
            search={search}
          />
        )}
        <AlsoSearched terms={others} />
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
