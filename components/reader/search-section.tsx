/** The line of a search result that names the section its link opens. */
export function Section({ html, className }: { html: string; className: string }) {
  return (
    <span className={`text-sm wrap-anywhere text-text-muted ${className}`}>
      Section: <span dangerouslySetInnerHTML={{ __html: html }} />
    </span>
  );
}
