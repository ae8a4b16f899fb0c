/** The start of a link or picture as the printer of content.ts writes it: each value stands in double quotes. */
const tag = /<(?:a|img)(?: [a-z-]+(?:="[^"]*")?)*>/g;
const attribute = / ([a-z-]+)(?:="([^"]*)")?/g;
const absolute = /^[a-z][a-z0-9+.-]*:/i;

/**
 * Clean HTML whose addresses hold wherever it is read: in a feed reader, in a file. One pass over the tags, since parsing
 * costs a thousand times as much.
 * @param page the address of the page that the HTML is of
 * @param withinPage whether links to places of the page itself lead to the page, or stay as they are
 */
export function withAbsoluteAddresses(html: string, page: string, withinPage = true): string {
  return html.replace(tag, (start) =>
    start.replace(attribute, (whole, name: string, printed: string | undefined) => {
      if ((name !== "href" && name !== "src") || printed === undefined || absolute.test(printed)) return whole;
      if (printed.startsWith("#") && !withinPage) return whole;
      const address = asRead(printed);
      return URL.canParse(address, page) ? ` ${name}="${asPrinted(new URL(address, page).href)}"` : whole;
    }),
  );
}

function asRead(printed: string): string {
  return printed.replace(/&(?:(amp)|(quot)|#x([0-9a-f]+));/gi, (_, amp?: string, quot?: string, code?: string) =>
    amp ? "&" : quot ? '"' : String.fromCodePoint(Number.parseInt(code as string, 16)),
  );
}

function asPrinted(address: string): string {
  return address.replace(/&/g, "&amp;").replace(/"/g, "&quot;");
}
