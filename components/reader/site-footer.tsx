import Link from "next/link";
import type { ReactNode } from "react";

/** Below every page of a workspace; what is given stands before its links. */
export function SiteFooter({ children }: { children?: ReactNode }) {
  return (
    <footer className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2 border-t border-border py-6 text-sm text-text-muted">
      {children}
      <p className="flex flex-wrap gap-x-5 gap-y-2">
        <Link href="/developers" prefetch={false}>
          Developers
        </Link>
        <Link href="/admin" prefetch={false}>
          Sign in
        </Link>
      </p>
    </footer>
  );
}
