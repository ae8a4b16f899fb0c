/** The most characters of an address that somebody is led back to. */
const LONGEST = 2_000;

/**
 * Where somebody is led after signing in: an address on this host, or null for what leads or might lead elsewhere.
 * Browsers take "//host" and "/\host" for another host, and leave out tabs and line ends before they look.
 */
export function returnPath(text: unknown): string | null {
  if (typeof text !== "string" || text.length > LONGEST) return null;
  if (!/^\/(?!\/)/.test(text) || /[\\\p{Cc}\p{Cs}]/u.test(text)) return null;
  const here = "http://here.invalid";
  if (!URL.canParse(text, here)) return null;
  const { origin, pathname, search, hash } = new URL(text, here);
  // "/./" and "/../" may leave two slashes at the front.
  if (origin !== here || pathname.startsWith("//")) return null;
  return /^\/(admin\/sign-in(\/|$)|api(\/|$))/.test(pathname) ? null : pathname + search + hash;
}

/** The address of a page of signing in, which leads on to where somebody wanted to go. */
export function signInPath(to: string | null, page: "" | "/link" | "/password" = ""): string {
  const path = `/admin/sign-in${page}`;
  return to && to !== "/admin" ? `${path}?${new URLSearchParams({ to })}` : path;
}
