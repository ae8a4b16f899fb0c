/** Names that are never a workspace: the installation's own, or ones that would mislead a reader. */
export const reservedSubdomains: ReadonlySet<string> = new Set([
  "admin", "api", "app", "assets", "auth", "billing", "blog", "cdn", "dashboard", "dev", "files", "ftp", "help", "imap",
  "login", "mail", "media", "metrics", "ns1", "ns2", "pop", "root", "signin", "signup", "smtp", "ssl", "staging",
  "static", "status", "system", "test", "vpn", "webmail", "www",
]); // biome-ignore format: a word list reads best as lines

/** What a host names: the bare domain, a subdomain that may be a workspace's, or nothing of ours. */
export type Site = { kind: "apex" } | { kind: "subdomain"; subdomain: string } | { kind: "unknown" };

/**
 * What a Host header names. Pure, so that the middleware and the API read hosts by the same rule.
 * The port is not compared: a proxy or a container may map it.
 * @param host the header's value, with or without port, in any case; null when it was missing
 * @param baseUrl scheme, base domain and port of the installation
 */
export function siteOfHost(host: string | null, baseUrl: string): Site {
  const base = new URL(baseUrl).hostname;
  const name = (host ?? "").toLowerCase().replace(/:\d*$/, "").replace(/\.$/, "");
  if (name === base) return { kind: "apex" };
  if (!name.endsWith(`.${base}`)) return { kind: "unknown" };
  const subdomain = name.slice(0, -base.length - 1);
  return isSubdomain(subdomain) ? { kind: "subdomain", subdomain } : { kind: "unknown" };
}

/** Whether a text can be a workspace's subdomain: one label of a host name, ASCII, lowercase, not reserved. */
export function isSubdomain(text: string): boolean {
  return /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(text) && !text.startsWith("xn--") && !reservedSubdomains.has(text);
}

/** The address of a workspace, without a slash at the end. */
export function workspaceUrl(subdomain: string, baseUrl: string): string {
  const url = new URL(baseUrl);
  return `${url.protocol}//${subdomain}.${url.host}`;
}
