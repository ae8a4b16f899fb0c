import type { ReactNode } from "react";
import { CategoryTree } from "@/components/reader/category-tree";
import { SearchForm } from "@/components/reader/search-form";
import { SiteFooter } from "@/components/reader/site-footer";
import { Mark } from "@/components/ui/mark";
import { SheetButton } from "@/components/ui/sheet-button";
import type { NavCategory } from "@/lib/reader/published-categories";
import type { PublicWorkspace } from "@/lib/site";

/**
 * The frame of all reader pages. On phones, a button opens the categories, also without scripts.
 * @param aside the right column, on wide screens
 * @param searched the text in the search field
 * @param member the signed-in member's name
 * @param plain leaves out search and categories
 */
export function ReaderFrame({
  workspace,
  nav,
  current,
  aside,
  searched,
  plain = false,
  member = null,
  signOut,
  children,
}: {
  workspace: PublicWorkspace;
  nav: NavCategory[];
  current?: { category?: string; article?: string };
  aside?: ReactNode;
  searched?: string;
  plain?: boolean;
  member?: string | null;
  signOut?: () => Promise<void>;
  children: ReactNode;
}) {
  const hasTree = nav.length > 0 && !plain;
  const columns = hasTree
    ? `md:grid md:grid-cols-[14rem_minmax(0,1fr)] lg:grid-cols-[15.5rem_minmax(0,1fr)] md:gap-10 lg:gap-14 ${aside ? "xl:grid-cols-[15.5rem_minmax(0,1fr)_13.5rem]" : ""}`
    : "";
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#_content"
        lang="en"
        className="absolute -top-20 left-4 z-10 rounded-sm bg-accent px-3 py-2 text-sm text-accent-text focus:top-3"
      >
        Skip to the text
      </a>
      <header lang="en" dir="ltr" className="border-b border-border print:hidden">
        <div className="mx-auto flex max-w-[84rem] flex-wrap items-center gap-x-6 gap-y-2.5 px-5 py-2.5 md:h-16 md:flex-nowrap md:py-0 lg:px-8">
          <a href="/" className="flex min-h-11 min-w-0 flex-1 items-center gap-3 text-sm no-underline hover:underline">
            <Mark name={workspace.name} image={workspace.logo} />
            <span lang={workspace.language} dir="auto" className="line-clamp-2 min-w-0 font-semibold break-words">
              {workspace.name}
            </span>
          </a>
          {hasTree && (
            <SheetButton target="_tree" className="md:hidden">
              Contents
            </SheetButton>
          )}
          {!plain && (
            <div className="w-full md:w-72 md:shrink-0 lg:w-80">
              <SearchForm text={searched} />
            </div>
          )}
        </div>
      </header>
      <div className={`mx-auto w-full max-w-[84rem] flex-1 px-5 lg:px-8 ${columns}`}>
        {hasTree && (
          <nav
            id="_tree"
            popover="auto"
            aria-label="Categories"
            className="side-sheet reader-tree text-sm md:sticky md:top-0 md:max-h-dvh md:self-start md:overflow-y-auto md:overscroll-contain md:pt-9 md:pr-2.5 md:pb-12 md:pl-2.5 md:-ml-2.5 print:hidden"
          >
            <div lang="en" dir="ltr" className="mb-2 flex items-center justify-between gap-3 md:hidden">
              <p className="font-semibold">Contents</p>
              <button
                type="button"
                popoverTarget="_tree"
                popoverTargetAction="hide"
                className="-mr-3 h-11 cursor-pointer rounded-sm px-3 text-text-muted"
              >
                Close
              </button>
            </div>
            <CategoryTree nav={nav} current={current} />
          </nav>
        )}
        <main id="_content" tabIndex={-1} className="min-w-0 pt-8 pb-20 outline-none md:pt-10">
          {children}
        </main>
        {aside && (
          <div className="hidden xl:block print:hidden">
            <div className="sticky top-0 max-h-dvh overflow-y-auto overscroll-contain py-10 text-sm">{aside}</div>
          </div>
        )}
      </div>
      <div className="mx-auto w-full max-w-[84rem] px-5 lg:px-8 print:hidden">
        <SiteFooter member={member} signOut={signOut} />
      </div>
    </div>
  );
}
