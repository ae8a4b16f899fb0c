import { Hash } from "lucide-react";

/** The line of a search result that names the section its link opens. */
export function Section({ html, className }: { html: string; className: string }) {
  return (
    <span className={`flex items-center gap-1 text-sm text-text-muted ${className}`}>
      <Hash aria-hidden="true" className="size-3.5 shrink-0" />
      <span className="min-w-0 wrap-anywhere" dangerouslySetInnerHTML={{ __html: html }} />
    </span>
  );
}
