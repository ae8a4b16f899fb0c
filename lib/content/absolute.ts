/** A link's or image's start tag as content.ts prints it, with every value in double quotes. */
const tag = /<(?:a|img)(?: [a-z-]+(?:="[^"]*")?)*>/g;
const attribute = / ([a-z-]+)(?:="([^"]*)")?/g;
const absolute = /^[a-z][a-z0-9+.-]*:/i;

/** Makes URLs in clean HTML absolute. With a regular expression, because parsing is 1,000 times slower. */
export function withAbsoluteUrls(html: string, page: string, withinPage = true): string {
  return html.replace(tag, (start) =>
    start.replace(attribute, (whole, name: string, value: string | undefined) => {
      if ((name !== "href" && name !== "src") || value === undefined || absolute.test(value)) return whole;
      if (value.startsWith("#") && !withinPage) return whole;
      const address = unescaped(value);
      return URL.canParse(address, page) ? ` ${name}="${escaped(new URL(address, page).href)}"` : whole;
    }),
  );
}

function unescaped(value: string): string {
  return value.replace(/&(?:(amp)|(quot)|#x([0-9a-f]+));/gi, (_, amp?: string, quot?: string, code?: string) =>
    amp ? "&" : quot ? '"' : String.fromCodePoint(Number.parseInt(code as string, 16)),
  );
}

function escaped(address: string): string {
  return address.replace(/&/g, "&amp;").replace(/"/g, "&quot;");
}
