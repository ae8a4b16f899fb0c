import type { Metadata } from "next";
import { headers } from "next/headers";
import { cache } from "react";
import { Say } from "@/components/reader/say";
import { SearchForm } from "@/components/reader/search-form";
import type { ArticleLink } from "@/lib/articles/article-parts";
import { setMoved, setStatus } from "@/lib/http/status";
import { type FormerAddress, formerAddress } from "@/lib/reader/former-address";
import { type NavCategory, publishedNav } from "@/lib/reader/published-categories";
import { similarArticles } from "@/lib/reader/similar-articles";
import { type Words, wordsFor } from "@/lib/reader/words";
import { currentMember, readAsVisitor, redirectToSignIn } from "@/lib/session";
import type { PublicWorkspace } from "@/lib/site";
import { Frame } from "./_frame";
import { wantedWithinLimit } from "./_similar";

interface Unknown {
  nav: NavCategory[];
  became: FormerAddress | null;
  similar: ArticleLink[];
  /** The words of the URL. */
  wanted: string | undefined;
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
  return { nav, became, similar, wanted: wanted ?? undefined };
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
  return { title: titleOf(became, path, wordsFor(workspace.language)), robots: { index: false } };
}

function titleOf(became: Unknown["became"], path: string, { missing }: Words): string {
  if (became === "gone") return path.startsWith("/articles/") ? missing.articleRemoved : missing.pageRemoved;
  return became ? missing.moved : missing.notFound;
}

/**
 * The page for paths without a page: moved (301), removed (410) or not found (404). Sets the status.
 * @param path decoded
 */
export async function UnknownPage({ workspace, path }: { workspace: PublicWorkspace; path: string }) {
  const { nav, became, similar, wanted } = await unknown(workspace, path);
  const words = wordsFor(workspace.language);
  const { missing, region } = words;
  const title = titleOf(became, path, words);
  if (became && became !== "gone") {
    setMoved(became.moved);
    return (
      <Frame workspace={workspace} nav={[]} plain>
        <div className={column}>
          <h1 className="text-xl md:text-2xl" {...region}>
            {title}
          </h1>
          <p className="mt-4" {...region}>
            <Say
              text={missing.movedTo}
              link={
                <a href={became.moved} dir="ltr" className="wrap-anywhere">
                  {became.moved}
                </a>
              }
            />
          </p>
        </div>
      </Frame>
    );
  }
  setStatus(became === "gone" ? 410 : 404);
  return (
    <Frame workspace={workspace} nav={nav} plain>
      <div className={column}>
        <h1 className="text-xl md:text-2xl" {...region}>
          {title}
        </h1>
        <p className="mt-4" {...region}>
          {became !== "gone"
            ? missing.why
            : path.startsWith("/articles/")
              ? missing.whyRemoved
              : missing.whyPageRemoved}
        </p>
        <div className="mt-8">
          <SearchForm large text={wanted} words={words} />
        </div>
        {similar.length > 0 && (
          <section aria-labelledby="_similar" className="mt-10">
            <h2 id="_similar" className="text-base font-semibold" {...region}>
              {missing.similar}
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
        <nav aria-label={missing.start} className="mt-10">
          <h2 className="text-base font-semibold" {...region}>
            {missing.start}
          </h2>
          <ul className="mt-2">
            <li>
              <a href="/" className={line} {...region}>
                {words.frame.home}
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
                <a href="/categories" className={line} {...region}>
                  {words.tree.all}
                </a>
              </li>
            )}
          </ul>
        </nav>
      </div>
    </Frame>
  );
}
