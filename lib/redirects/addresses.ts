const MOST_CHARACTERS = 500;

/** First path segments that the product serves. A test compares them with the pages on disk. */
export const ownParts: readonly string[] = [
  "_next",
  "admin",
  "api",
  "avatars",
  "developers",
  "favicon.ico",
  "feed.xml",
  "healthz",
  "icon.svg",
  "icons",
  "llms.txt",
  "metrics",
  "og",
  "og.png",
  "preview",
  "readyz",
  "robots.txt",
  "search",
  "sitemap.xml",
  "sitemaps",
  "tags",
  "tree",
  "uploads",
];

export function isOwnPage(path: string): boolean {
  if (path === "/" || path === "/categories") return true;
  if (/^\/articles\/[^/]+\/feedback(\/send)?$/.test(path)) return true;
  return ownParts.includes(path.split("/")[1] ?? "");
}

type From = { path: string } | { refused: string };

/** Reads an old URL as typed. Returns its decoded path without a trailing slash, or the reason for a refusal. */
export function cleanedFrom(typed: string, home: string): From {
  const text = typed.trim();
  if (text === "") return { refused: "Enter the old path, such as /help/billing." };
  const url = ownUrl(text, home);
  if (url === "elsewhere") return { refused: `This URL is on another site. Old URLs begin with ${home}/.` };
  if (url === null) return { refused: "The old path must begin with a slash, as in /help/billing." };
  if (url.search || url.hash || /[?#]/.test(text)) {
    return { refused: "Leave out the query (?) and the hash (#). URLs with a query or hash are redirected too." };
  }
  const path = pathOf(url);
  if (path === null) return { refused: "This URL is not valid. A % must be followed by 2 hexadecimal digits." };
  if (/^\/(articles|categories)\/[^/]+\.md$/.test(path)) {
    return { refused: "Leave out .md at the end. The Markdown version is redirected too." };
  }
  if (path.length > MOST_CHARACTERS) return { refused: `An old path can have up to ${MOST_CHARACTERS} characters.` };
  return { path };
}

/** A path of the workspace with its query and hash, the URL of another site, or the reason for a refusal. */
type To = { path: string; rest: string } | { elsewhere: string } | { refused: string };

export function cleanedTo(typed: string, home: string): To {
  const text = typed.trim();
  if (text === "") return { refused: "Enter a destination." };
  const url = ownUrl(text, home);
  if (url === "elsewhere") return anotherSite(text);
  if (url === null) {
    return { refused: "Enter a path such as /articles/billing or a URL that begins with https://." };
  }
  const path = pathOf(url);
  if (path === null) return { refused: "This URL is not valid. A % must be followed by 2 hexadecimal digits." };
  const rest = url.search + url.hash;
  if ((encodedPath(path) + rest).length > 2_000) return { refused: "A destination can have up to 2,000 characters." };
  return { path, rest };
}

function anotherSite(text: string): To {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== "https:") return { refused: "A URL on another site must begin with https://." };
  if (url.username || url.password) return { refused: "Remove the name and password before the @." };
  if (url.href.length > 2_000) return { refused: "A URL on another site can have up to 2,000 characters." };
  return { elsewhere: url.href };
}

/** Null if it is no URL. "elsewhere" includes what a browser would take for another host. */
function ownUrl(text: string, home: string): URL | "elsewhere" | null {
  if (/[\p{Cc}\p{Cs}]/u.test(text)) return null;
  if (/^[a-z][a-z\d+.-]*:/i.test(text)) {
    if (!URL.canParse(text)) return null;
    const url = new URL(text);
    return home !== "" && url.origin === new URL(home).origin ? url : "elsewhere";
  }
  if (!text.startsWith("/") || !URL.canParse(text, "http://here")) return null;
  const url = new URL(text, "http://here");
  return url.origin === "http://here" && !url.pathname.startsWith("//") ? url : null;
}

export function encodedPath(path: string): string {
  return encodeURI(path).replaceAll("?", "%3F").replaceAll("#", "%23");
}

function pathOf({ pathname }: URL): string | null {
  try {
    const path = decodeURIComponent(pathname);
    if (/[\p{Cc}\p{Cs}]/u.test(path)) return null;
    return path.length > 1 ? path.replace(/\/+$/, "") || "/" : path;
  } catch {
    return null;
  }
}
