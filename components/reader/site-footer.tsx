import type { ReactNode } from "react";
import { ThemeSwitch } from "@/components/ui/theme-switch";

/** Below every page of a workspace; what is given stands before its links. */
export function SiteFooter({ children }: { children?: ReactNode }) {
  return (
    <footer
      lang="en"
      dir="ltr"
      className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-t border-border py-6 text-sm text-text-muted"
    >
      {children}
      <p className="flex flex-wrap gap-x-5 gap-y-2">
        <a href="/developers">Developers</a>
        <a href="/admin">Sign in</a>
      </p>
      <ThemeSwitch />
    </footer>
  );
}
