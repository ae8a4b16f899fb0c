import { Pencil, Search } from "lucide-react";
import type { ReactNode } from "react";
import { hasFilter, treeHtml } from "@/components/reader/category-tree";
import type { Contact } from "@/components/reader/contact";
import type { TreeWords } from "@/components/reader/scripts/tree";
import { asWords } from "@/components/reader/scripts/words";
import { SearchDialog } from "@/components/reader/search-dialog";
import { SearchForm } from "@/components/reader/search-form";
import { SiteFooter } from "@/components/reader/site-footer";
import { TreeFilter, TreeScroll } from "@/components/reader/tree-parts";
import { Mark } from "@/components/ui/mark";
import { SheetButton } from "@/components/ui/sheet-button";
import type { NavCategory } from "@/lib/reader/published-categories";
import type { Words } from "@/lib/reader/words";
import type { PublicWorkspace } from "@/lib/site";

/**
 * The frame of all reader pages. On phones, a button opens the categories, also without scripts.
 * @param aside the right column, on wide screens
 * @param searched the text in the search field
 * @param edit where members edit the page
 * @param member the signed-in member's name
 * @param nonce for inline scripts
 * @param plain leaves out search and categories
 */
export function ReaderFrame({
  workspace,
  words,
  nav,
  current,
  aside,
  searched,
  plain = false,
  edit,
  contact,
  member = null,
  signOut,
  nonce,
  children,
}: {
  workspace: PublicWorkspace;
  words: Words;
  nav: NavCategory[];
  current?: { category?: string; article?: string };
  aside?: ReactNode;
  searched?: string;
  plain?: boolean;
  edit?: string;
  contact: Contact | null;
  member?: string | null;
  signOut?: () => Promise<void>;
  nonce?: string;
  children: ReactNode;
}) {
  const { frame, search, tree, region } = words;
  const hasTree = nav.length > 0 && !plain;
  const columns = hasTree
    ? `md:grid md:grid-cols-[14rem_minmax(0,1fr)] lg:grid-cols-[15.5rem_minmax(0,1fr)] md:gap-10 lg:gap-14 ${aside ? "xl:grid-cols-[15.5rem_minmax(0,1fr)_13.5rem]" : ""}`
    : "";
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#_content"
        {...region}
        className="absolute -top-20 start-4 z-30 rounded-sm bg-accent px-3 py-2 text-sm text-accent-text focus:top-3"
      >
        {frame.skip}
      </a>
      <header className="reader-header sticky top-0 z-20 border-b border-border bg-surface print:hidden">
        <div className="mx-auto flex h-14 max-w-[84rem] items-center gap-2 px-5 md:gap-4 lg:px-8">
          <a href="/" className="flex min-h-11 min-w-0 flex-1 items-center gap-3 text-sm no-underline hover:underline">
            <Mark name={workspace.name} image={workspace.logo} />
            <span dir="auto" className="min-w-0 truncate font-semibold">
              {workspace.name}
            </span>
          </a>
          {!plain && (
            <>
              <div className="hidden w-72 shrink-0 md:block lg:w-80" {...region}>
                <SearchForm text={searched} words={words} />
              </div>
              <a
                href="/search"
                data-search-link=""
                aria-label={search.label}
                className="flex size-11 shrink-0 items-center justify-center rounded-sm hover:bg-highlight md:hidden"
              >
                <Search aria-hidden="true" className="size-5" />
              </a>
            </>
          )}
          {workspace.headerLinks.map(({ label, url }) => (
            <a
              key={`${label} ${url}`}
              href={url}
              dir="auto"
              className="flex h-11 shrink-0 items-center text-sm text-text-muted no-underline hover:text-text md:h-9"
            >
              {label}
            </a>
          ))}
          {edit && (
            <a
              href={edit}
              {...region}
              className="flex h-11 shrink-0 items-center gap-1.5 rounded-sm px-2.5 text-sm no-underline hover:bg-highlight md:h-9"
            >
              <Pencil aria-hidden="true" className="size-4" />
              {frame.edit}
            </a>
          )}
          {hasTree && (
            <SheetButton target="_tree" className="md:hidden">
              {frame.menu}
            </SheetButton>
          )}
        </div>
      </header>
      <SearchDialog words={words} contact={contact} />
      <div className={`mx-auto w-full max-w-[84rem] flex-1 px-5 lg:px-8 ${columns}`}>
        {hasTree && (
          <>
            <nav
              id="_tree"
              popover="auto"
              aria-label={tree.label}
              {...asWords({
                language: words.language,
                allOf: tree.allOf,
                articles: tree.articles,
                failed: tree.failed,
                nothing: tree.nothing,
              } satisfies TreeWords)}
              className="side-sheet reader-tree text-sm md:sticky md:top-14 md:max-h-[calc(100dvh-3.5rem)] md:self-start md:overflow-y-auto md:overscroll-contain md:ps-2.5 md:-ms-2.5 md:pt-6 md:pe-2.5 md:pb-12 print:hidden"
            >
              <div {...region} className="mb-2 flex items-center justify-between gap-3 md:hidden">
                <p className="font-semibold">{frame.menu}</p>
                <button
                  type="button"
                  popoverTarget="_tree"
                  popoverTargetAction="hide"
                  className="-me-3 h-11 cursor-pointer rounded-sm px-3 text-text-muted"
                >
                  {frame.close}
                </button>
              </div>
              {hasFilter(nav) && <TreeFilter label={tree.filter} />}
              <div dangerouslySetInnerHTML={{ __html: treeHtml(nav, current ?? {}, words) }} />
            </nav>
            <TreeScroll nonce={nonce} />
          </>
        )}
        <main id="_content" tabIndex={-1} className="min-w-0 pt-6 pb-20 outline-none md:pt-9">
          {children}
        </main>
        {aside && (
          <div className="hidden xl:block print:hidden">
            <div className="sticky top-14 max-h-[calc(100dvh-3.5rem)] overflow-y-auto overscroll-contain py-9 text-sm">
              {aside}
            </div>
          </div>
        )}
      </div>
      <div className="mx-auto w-full max-w-[84rem] px-5 lg:px-8 print:hidden">
        <SiteFooter words={words} member={member} signOut={signOut} hasSearch />
      </div>
    </div>
  );
}
