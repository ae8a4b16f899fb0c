import Link from "next/link";
import type { ReactNode } from "react";
import { SiteFooter } from "@/components/reader/site-footer";
import { Mark } from "@/components/ui/mark";
import type { Words } from "@/lib/reader/words";
import { Nav, type NavGroup } from "./nav";

/** The frame of the developer pages, which are always in English. */
export function ReferenceFrame({
  name,
  logo,
  version,
  groups,
  words,
  member,
  signOut,
  children,
}: {
  name: string;
  logo: { path: string; width: number; height: number } | null;
  version: string;
  groups: NavGroup[];
  /** The English ones. */
  words: Words;
  member: string | null;
  signOut: () => Promise<void>;
  children: ReactNode;
}) {
  const versions = (
    <p className="mb-4 flex items-center gap-1 border-t border-border pt-5">
      <span className="mr-2 font-semibold">Reference</span>
      {["v2", "v1"].map((one) => (
        <Link
          key={one}
          href={`/developers/${one}`}
          prefetch={false}
          aria-label={`Reference ${one}`}
          className={`rounded-sm px-2 py-1 no-underline ${one === version ? "bg-highlight font-medium" : "text-text-muted hover:text-text"}`}
        >
          {one}
        </Link>
      ))}
    </p>
  );
  return (
    <div lang="en" className="[overflow-anchor:none]">
      <a
        href="#_content"
        className="absolute -top-20 left-4 z-10 rounded-sm bg-accent px-3 py-2 text-sm text-accent-text focus:top-3"
      >
        {words.frame.skip}
      </a>
      <header className="border-b border-border">
        <div className="mx-auto flex min-h-14 max-w-[90rem] items-center gap-3 px-5 py-2 text-sm lg:px-8">
          <Mark name={name} image={logo} />
          <p className="min-w-0 break-words">
            <Link href="/" prefetch={false} className="font-semibold no-underline hover:underline">
              {name}
            </Link>
            <span aria-hidden="true" className="mx-2 text-text-muted">
              /
            </span>
            <Link href="/developers" prefetch={false} className="no-underline hover:underline">
              Developers
            </Link>
          </p>
        </div>
      </header>
      <details className="group border-b border-border lg:hidden">
        <summary className="flex min-h-12 items-center justify-between px-5 text-sm font-medium">
          Contents
          <span aria-hidden="true" className="text-text-muted group-open:rotate-180">
            ▾
          </span>
        </summary>
        <div className="px-5 pb-6">
          <Nav groups={groups} label="Contents" versions={versions} />
        </div>
      </details>
      <div className="mx-auto max-w-[90rem] gap-10 px-5 lg:grid lg:grid-cols-[13.5rem_minmax(0,1fr)] lg:px-8">
        <div className="hidden lg:block">
          <div className="sticky top-0 max-h-dvh overflow-y-auto py-10 pr-2 pl-2.5 -ml-2.5">
            <div data-contents="">
              <Nav groups={groups} label="Contents" versions={versions} />
            </div>
          </div>
        </div>
        <main id="_content" tabIndex={-1} data-samples="" className="min-w-0 pb-16 outline-none">
          {children}
        </main>
      </div>
      <div className="mx-auto max-w-[90rem] px-5 lg:px-8">
        <SiteFooter words={words} member={member} signOut={signOut} />
      </div>
    </div>
  );
}
