import type { Metadata } from "next";
import { headers } from "next/headers";
import { cache } from "react";
import { SearchForm } from "@/components/reader/search-form";
import type { ArticleLink } from "@/lib/articles/article-parts";
import { setMoved, setStatus } from "@/lib/http/status";
import { type FormerAddress, formerAddress } from "@/lib/reader/former-address";
import { type NavCategory, publishedNav } from "@/lib/reader/published-categories";
import { similarArticles } from "@/lib/reader/similar-articles";
import { currentMember, readAsVisitor, redirectToSignIn } from "@/lib/session";
import type { PublicWorkspace } from "@/lib/site";
import { Frame } from "./_frame";
import { wantedWithinLimit } from "./_similar";

interface Unknown {
  nav: NavCategory[];
  became: FormerAddress | null;
  similar: ArticleLink[];
}

const column = "mx-auto max-w-[36rem] pt-6 pb-10 md:pt-16";

const line = "flex min-h-11 items-center border-b border-border py-2 break-words no-underline hover:underline";

const MAX_CATEGORIES = 12;

const unknown = cache(async (workspace: PublicWorkspace, path: string): Promise<Unknown> => {
  const wanted = await wantedWithinLimit(workspace, path, (await headers()).get("x-forwarded-for"));
  const { nav, became, similar } = await readAsVisitor(workspace, async (snapshot) => {
    const became = await formerAddress(snapshot, path);
    const mayHelp = wanted !== null && (became === null || became === "gone");
    return {
      nav: await publishedNav(snapshot),
      became,
      similar: mayHelp ? await similarArticles(snapshot, workspace, wanted) : [],
    };
  });
  await requireMembersOnly(workspace, became ? nav : []);
  return { nav, became, similar };
});

/**
 * Redirects visitors of a members-only workspace to sign in if they can see nothing there, whether or not the page exists.
 * @param shown the categories that the visitor can see
 */
export async function requireMembersOnly(workspace: PublicWorkspace, shown: NavCategory[]): Promise<void> {
  if (workspace.visibility !== "members" || shown.length > 0) return;
  if (!(await currentMember(workspace.subdomain))) await redirectToSignIn();
}

export async function unknownMetadata(workspace: PublicWorkspace, path: string): Promise<Metadata> {
  const { became } = await unknown(workspace, path);
  return { title: titleOf(became, path), robots: { index: false } };
}

function titleOf(became: Unknown["became"], path: string): string {
  if (became === "gone") return path.startsWith("/articles/") ? "Article removed" : "Page removed";
  return became ? "This page has moved" : "Page not found";
}

/**
 * The page for paths without a page: moved (301), removed (410) or not found (404). Sets the status.
 * @param path decoded
 */
export async function UnknownPage({ workspace, path }: { workspace: PublicWorkspace; path: string }) {
  const { nav, became, similar } = await unknown(workspace, path);
  const title = titleOf(became, path);
  if (became && became !== "gone") {
    setMoved(became.moved);
    return (
      <Frame workspace={workspace} nav={[]} plain>
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
      </Frame>
    );
  }
  setStatus(became === "gone" ? 410 : 404);
  return (
    <Frame workspace={workspace} nav={nav} plain>
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
        {similar.length > 0 && (
          <section aria-labelledby="_similar" className="mt-10">
            <h2 id="_similar" className="text-base font-semibold">
              Similar articles
            </h2>
            <ul className="mt-2">
              {similar.map(({ slug, title }) => (
                <li key={slug}>
                  <a href={`/articles/${slug}`} className={line}>
                    {title}
                  </a>
                </li>
              ))}
            </ul>
          </section>
        )}
        <nav aria-label="Where to go from here" className="mt-10">
          <h2 className="text-base font-semibold">Or begin here</h2>
          <ul className="mt-2">
            <li>
              <a href="/" className={line}>
                Start page
              </a>
            </li>
            {nav.slice(0, MAX_CATEGORIES).map(({ slug, name }) => (
              <li key={slug}>
                <a href={`/categories/${slug}`} className={line}>
                  {name}
                </a>
              </li>
            ))}
            {nav.length > MAX_CATEGORIES && (
              <li>
                <a href="/categories" className={line}>
                  All categories
                </a>
              </li>
            )}
          </ul>
        </nav>
      </div>
    </Frame>
  );
}
