import { ThemeSwitch } from "@/components/ui/theme-switch";
import type { Words } from "@/lib/reader/words";
import { SearchKeySwitch } from "./search-key";

/**
 * @param member the signed-in member's name
 * @param hasSearch offers the key that opens the search
 */
export function SiteFooter({
  words,
  member = null,
  signOut,
  hasSearch = false,
}: {
  words: Pick<Words, "frame" | "theme" | "region">;
  member?: string | null;
  signOut?: () => Promise<void>;
  hasSearch?: boolean;
}) {
  const { frame, theme, region } = words;
  return (
    <footer
      {...region}
      className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-t border-border py-6 text-sm text-text-muted"
    >
      <div className="flex flex-wrap items-baseline gap-x-5 gap-y-2">
        <a href="/developers">{frame.api}</a>
        {member === null ? (
          <a href="/admin">{frame.signIn}</a>
        ) : (
          <>
            <a href="/admin">{frame.admin}</a>
            <span dir="auto" className="min-w-0 break-words">
              {member}
            </span>
          </>
        )}
        {member !== null && signOut && (
          <form action={signOut}>
            <button type="submit" className="cursor-pointer underline hover:text-text">
              {frame.signOut}
            </button>
          </form>
        )}
      </div>
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
        {hasSearch && <SearchKeySwitch label={frame.slash} />}
        <ThemeSwitch words={theme} />
      </div>
    </footer>
  );
}
