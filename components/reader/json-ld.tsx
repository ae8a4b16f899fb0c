import type { Thing } from "@/lib/structured-data";

/**
 * What a page says of itself to search engines. A block of data is no script, so it needs no nonce; but it ends where a
 * script would, so no text in it may hold a tag.
 */
export function JsonLd({ thing }: { thing: Thing }) {
  const json = JSON.stringify(thing).replace(/[<>&]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`);
  return <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: json }} />;
}
