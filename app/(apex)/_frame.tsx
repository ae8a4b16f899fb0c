import Link from "next/link";
import type { ReactNode } from "react";

/** The header of the bare domain's pages. */
export function ApexFrame({ children }: { children: ReactNode }) {
  return (
    <>
      <header className="border-b border-border">
        <div className="mx-auto flex h-14 max-w-[72rem] items-center px-5 lg:px-8">
          <Link
            href="/"
            prefetch={false}
            className="flex min-h-11 items-center gap-3 text-sm font-semibold no-underline hover:underline"
          >
            <svg viewBox="0 0 32 32" aria-hidden="true" className="size-7">
              <rect width="32" height="32" rx="7" className="fill-accent" />
              <path d="M7 9.5 25 7v6.5L7 16zM14.5 16h3v6h-3zM10 22h12v3H10z" className="fill-accent-text" />
            </svg>
            Lectern
          </Link>
        </div>
      </header>
      {children}
    </>
  );
}
