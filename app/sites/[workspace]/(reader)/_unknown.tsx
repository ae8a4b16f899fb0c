import type { Metadata } from "next";
import { cache } from "react";
import { ReaderFrame } from "@/components/reader/frame";
import { SearchForm } from "@/components/reader/search-form";
import { type NavCategory, publishedNav } from "@/lib/published-categories";
import { type FormerAddress, formerAddress } from "@/lib/published-redirects";
import { currentMember, readAsVisitor } from "@/lib/session";
import type { PublicWorkspace } from "@/lib/site";
import { setMoved, setStatus } from "@/lib/status";

interface Unknown {
  nav: NavCategory[];
  became: FormerAddress | "closed" | null;
}

const column = "mx-auto max-w-[36rem] pt-6 pb-10 md:pt-16";

const line = "flex min-h-11 items-center border-b border-border py-2 break-words no-underline hover:underline";

/** How many categories are offered where a page is not there. */
const FEW = 12;

/** Read once for the page and its title. */
const unknown = cache(async (workspace: PublicWorkspace, path: string): Promise<Unknown> => {
  const { nav, became } = await readAsVisitor(workspace, async (sight) => ({
    nav: await publishedNav(sight),
    became: await formerAddress(sight, path),
  }));
  return { nav, became: (await isClosed(workspace, nav)) ? "closed" : became };
});

/** Whether nothing at all of a workspace is for whoever asks, because it is for its members. */
export async function isClosed(workspace: PublicWorkspace, nav: NavCategory[]): Promise<boolean> {
  return nav.length === 0 && workspace.visibility === "members" && !(await currentMember(workspace.subdomain));
}

/** The title of an UnknownPage. */
export async function unknownMetadata(workspace: PublicWorkspace, path: string): Promise<Metadata> {
  const { became } = await unknown(workspace, path);
  return { title: titleOf(became, path), robots: { index: false } };
}

function titleOf(became: Unknown["became"], path: string): string {
  if (became === "closed") return "For members";
  if (became === "gone") return path.startsWith("/articles/") ? "Article removed" : "Page removed";
  return became ? "This page has moved" : "Page not found";
}

/**
 * What stands at an address that has nothing for whoever asks: the way to where it is now (301), that it was removed (410),
 * that the workspace is for its members (403), else that there is nothing (404). It sets the status itself.
 * @param path as it was asked for, decoded
 */
export async function UnknownPage({ workspace, path }: { workspace: PublicWorkspace; path: string }) {
  const { nav, became } = await unknown(workspace, path);
  if (became === "closed") return <ClosedPage workspace={workspace} />;
  const title = titleOf(became, path);
  if (became && became !== "gone") {
    setMoved(became.moved);
    return (
      <ReaderFrame workspace={workspace} nav={[]} plain>
        <div className={column}>
          <h1 className="text-xl md:text-2xl">{title}</h1>
          <p className="mt-4">
            It is now at{" "}
            <a href={became.moved} className="wrap-anywhere">
              {became.moved}
            </a>
            .
          </p>
        </div>
      </ReaderFrame>
    );
  }
  setStatus(became === "gone" ? 410 : 404);
  return (
    <ReaderFrame workspace={workspace} nav={nav} plain>
      <div className={column}>
        <h1 className="text-xl md:text-2xl">{title}</h1>
        <p className="mt-4">
          {became === "gone"
            ? "What was at this address has been removed, and nothing has taken its place. Another article may answer your question: search for it."
            : "There is nothing at this address. It may be mistyped, or the page has another name by now: search for what you are looking for."}
        </p>
        <div className="mt-8">
          <SearchForm large />
        </div>
        <nav aria-label="Where to go from here" className="mt-10">
          <h2 className="text-base font-semibold">Or begin here</h2>
          <ul className="mt-2">
            <li>
              <a href="/" className={line}>
                Start page
              </a>
            </li>
            {nav.slice(0, FEW).map(({ slug, name }) => (
              <li key={slug}>
                <a href={`/categories/${slug}`} className={line}>
                  {name}
                </a>
              </li>
            ))}
            {nav.length > FEW && (
              <li>
                <a href="/categories" className={line}>
                  All categories
                </a>
              </li>
            )}
          </ul>
        </nav>
      </div>
    </ReaderFrame>
  );
}

/** What stands at every address of a workspace of which nothing is for whoever asks. */
export function ClosedPage({ workspace }: { workspace: PublicWorkspace }) {
  setStatus(403);
  return (
    <ReaderFrame workspace={workspace} nav={[]} plain>
      <div className={column}>
        <h1 className="text-xl md:text-2xl">This knowledge base is for its members</h1>
        <p className="mt-4">
          Sign in to read what is in {workspace.name}. If you have no account, ask one of its members for an invitation.
        </p>
        <p className="mt-8">
          <a
            href="/admin/sign-in"
            className="inline-flex h-11 items-center rounded-sm bg-accent px-4 text-sm font-medium text-accent-text no-underline hover:bg-accent-hover hover:no-underline md:h-10"
          >
            Sign in
          </a>
        </p>
      </div>
    </ReaderFrame>
  );
}
