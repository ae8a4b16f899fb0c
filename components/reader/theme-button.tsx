import { SunMoon } from "lucide-react";

/** Changes between light and dark. Its script is scripts/main.ts. Invisible without scripts. */
export function ThemeButton({ label }: { label: string }) {
  return (
    <button
      type="button"
      data-theme-button=""
      aria-label={label}
      className="hidden size-9 shrink-0 cursor-pointer items-center justify-center rounded-sm text-text-muted hover:bg-highlight hover:text-text md:flex noscript:invisible"
    >
      <SunMoon aria-hidden="true" className="size-4.5" />
    </button>
  );
}
