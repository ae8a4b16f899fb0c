import type { Metadata } from "next";
import { headers } from "next/headers";
import { NothingFound, SearchResults } from "@/components/reader/search-results";
import { publishedNav } from "@/lib/published-categories";
import { searchedText, searchPublished } from "@/lib/published-search";
import { countOfReader } from "@/lib/reader-limits";
import { currentRequest } from "@/lib/request";
import { noteSearch } from "@/lib/searches";
import { readAsVisitor } from "@/lib/session";
import { type PublicWorkspace, publicWorkspace } from "@/lib/site";
import { setStatus } from "@/lib/status";
import { Frame } from "../_frame";
import { leadMembersIn } from "../_unknown";

/** How many results are on a page, and the last page there is: whoever turned so many needs other words. */
const PAGE = 20;
const LAST_PAGE = 50;

interface Props {
  params: Promise<{ workspace: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export async function generateMetadata({ searchParams }: Props): Promise<Metadata> {
  const { text } = asked(await searchParams);
  return { title: text ? `Search: ${text}` : "Search", robots: { index: false } };
}

/** `/search?q=&page=`: the results of the search form, for everybody whose browser shows no results while they type. */
export default async function SearchPage({ params, searchParams }: Props) {
  const workspace = await publicWorkspace((await params).workspace);
  const { text, page } = asked(await searchParams);
  const client = (await headers()).get("x-forwarded-for");
  const wait = text ? await countOfReader("results", workspace.id, client) : null;
  const { found, nav } = await readAsVisitor(workspace, async (sight) => ({
    found:
      wait === null
        ? await searchPublished(sight, workspace.id, text, { limit: PAGE, offset: (page - 1) * PAGE })
        : null,
    nav: await publishedNav(sight),
  }));
  await leadMembersIn(workspace, nav);
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
            pages={Math.min(Math.ceil(found.total / PAGE), LAST_PAGE)}
            first={(page - 1) * PAGE + 1}
            search={search}
          />
        )}
      </div>
    </Frame>
  );
}

function asked(given: Awaited<Props["searchParams"]>): { text: string; page: number } {
  const one = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value) ?? "";
  const page = /^\d{1,9}$/.test(one(given.page)) ? Number(one(given.page)) : 1;
  return { text: searchedText(one(given.q)), page: Math.min(Math.max(page, 1), LAST_PAGE) };
}

/** Remembers the search of a person who is shown its page. The id is for what is opened of it. */
function remembered(workspace: PublicWorkspace, term: string, total: number): string | undefined {
  const isSeen = currentRequest()?.seen === true;
  return workspace.searchLogEnabled && isSeen ? noteSearch(workspace.id, { term, total }) : undefined;
}
