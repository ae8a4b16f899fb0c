/** What HTML says, a block a line: for texts that are not cleaned yet, and are shown as words alone. */
export function wordsOf(html: string): string {
  return html
    .replace(/<\/(p|li|h[1-6]|tr|pre|div|blockquote)>|<br\s*\/?>/gi, "\n")
    .replace(/<[^>]*>/g, "")
    .replace(/&nbsp;/g, " ")
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, "&")
    .trim();
}
