import type { ReactNode } from "react";
import { ThemeSwitch } from "@/components/ui/theme-switch";

/** @param member the signed-in member's name */
export function SiteFooter({
  member = null,
  signOut,
  children,
}: {
  member?: string | null;
  signOut?: () => Promise<void>;
  children?: ReactNode;
}) {
  return (
    <footer
      lang="en"
      dir="ltr"
      className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-t border-border py-6 text-sm text-text-muted"
    >
      {children}
      <div className="flex flex-wrap items-baseline gap-x-5 gap-y-2">
        <a href="/developers">Developers</a>
        {member === null ? (
          <a href="/admin">Sign in</a>
        ) : (
          <>
            <a href="/admin">Admin</a>
            <span dir="auto" className="min-w-0 break-words">
              {member}
            </span>
          </>
        )}
        {member !== null && signOut && (
          <form action={signOut}>
            <button type="submit" className="cursor-pointer underline hover:text-text">
              Sign out
            </button>
          </form>
        )}
      </div>
      <ThemeSwitch />
    </footer>
  );
}
