/** The installation's own names, and ones that would mislead readers. */
export const reservedSubdomains: ReadonlySet<string> = new Set([
  "admin", "api", "app", "assets", "auth", "billing", "blog", "cdn", "dashboard", "dev", "files", "ftp", "help", "imap",
  "login", "mail", "media", "metrics", "ns1", "ns2", "pop", "root", "signin", "signup", "smtp", "ssl", "staging",
  "static", "status", "system", "test", "vpn", "webmail", "www",
]); // biome-ignore format: a word list reads best as lines

export type Site = { kind: "apex" } | { kind: "subdomain"; subdomain: string } | { kind: "unknown" };

let base = { text: "", url: new URL("http://localhost") };

/** Parses the base URL only once, because every request needs it. */
export function parsedBase(baseUrl: string): Readonly<Pick<URL, "protocol" | "host" | "hostname">> {
  if (base.text !== baseUrl) base = { text: baseUrl, url: new URL(baseUrl) };
  return base.url;
}

/** The site a Host header names. The port is ignored: a proxy or container may map it. */
export function siteOfHost(host: string | null, baseUrl: string): Site {
  const base = parsedBase(baseUrl).hostname;
  const name = (host ?? "").toLowerCase().replace(/:\d*$/, "").replace(/\.$/, "");
  if (name === base) return { kind: "apex" };
  if (!name.endsWith(`.${base}`)) return { kind: "unknown" };
  const subdomain = name.slice(0, -base.length - 1);
  return isSubdomain(subdomain) ? { kind: "subdomain", subdomain } : { kind: "unknown" };
}

export function isSubdomain(text: string): boolean {
  return /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(text) && !text.startsWith("xn--") && !reservedSubdomains.has(text);
}

/** Without a trailing slash. */
export function workspaceUrl(subdomain: string, baseUrl: string): string {
  const url = parsedBase(baseUrl);
  return `${url.protocol}//${subdomain}.${url.host}`;
}
