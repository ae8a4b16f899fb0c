import { Hash } from "lucide-react";

/** The line of a search result that names the section its link opens. */
export function Section({ html }: { html: string }) {
  return (
    <span className="mt-0.5 flex items-center gap-1 text-sm text-text-muted">
      <Hash aria-hidden="true" className="size-3.5 shrink-0" />
      <span className="min-w-0 wrap-anywhere" dangerouslySetInnerHTML={{ __html: html }} />
    </span>
  );
}
