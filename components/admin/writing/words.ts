/**
 * The words of HTML, one line per block, with images by name and links by URL. For showing uncleaned HTML as plain
 * text.
 */
export function wordsOf(html: string): string {
  const valueOf = (tag: string, name: string) => new RegExp(`\\s${name}="([^"]*)"`, "i").exec(tag)?.[1] ?? "";
  return html
    .replace(/<img\b[^>]*>/gi, (tag) => `[Image: ${valueOf(tag, "alt") || valueOf(tag, "src")}]`)
    .replace(/(<a\b[^>]*>)(.*?)<\/a>/gis, (_, tag: string, text: string) => `${text} [${valueOf(tag, "href")}]`)
    .replace(/<\/(p|li|h[1-6]|tr|pre|div|blockquote)>|<br\s*\/?>/gi, "\n")
    .replace(/<[^>]*>/g, "")
    .replace(/&nbsp;/g, " ")
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, "&")
    .trim();
}
