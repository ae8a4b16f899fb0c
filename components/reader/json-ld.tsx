import type { Thing } from "@/lib/reader/structured-data";

/** Structured data for search engines. It ends like a script, so no text in it may contain a tag. */
export function JsonLd({ thing }: { thing: Thing }) {
  const json = JSON.stringify(thing).replace(/[<>&]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`);
  return <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: json }} />;
}
