const LONGEST = 2_000;

/** Null for a path that might leave this host: browsers read "//host" and "/\host" as another host. */
export function returnPath(text: unknown): string | null {
  if (typeof text !== "string" || text.length > LONGEST) return null;
  if (!/^\/(?!\/)/.test(text) || /[\\\p{Cc}\p{Cs}]/u.test(text)) return null;
  const here = "http://here.invalid";
  if (!URL.canParse(text, here)) return null;
  const { origin, pathname, search, hash } = new URL(text, here);
  // "/./" and "/../" may leave two leading slashes.
  if (origin !== here || pathname.startsWith("//")) return null;
  return /^\/(admin\/sign-in(\/|$)|api(\/|$))/.test(pathname) ? null : pathname + search + hash;
}

export function signInPath(to: string | null, page: "" | "/link" | "/password" | "/code" = ""): string {
  const path = `/admin/sign-in${page}`;
  return to && to !== "/admin" ? `${path}?${new URLSearchParams({ to })}` : path;
}
