/** Has a prefix on https. */
export const SESSION_COOKIE = "lectern-session";
/** Recognizes a browser a member signed in with. Grants no access. */
export const BROWSER_COOKIE = "lectern-browser";
/** Between the password and the code of a sign-in. */
export const SECOND_STEP_COOKIE = "lectern-second-step";
/** Between the click on the identity provider's button and its answer. */
export const PROVIDER_COOKIE = "lectern-provider";
/** Between a passkey's challenge and its answer. */
export const PASSKEY_COOKIE = "lectern-passkey";
export const FLASH_COOKIE = "lectern-flash";

/** Without a Domain, a cookie belongs to one host. On https, the prefix makes browsers enforce that. */
export function hostCookie(name: string, baseUrl: string) {
  const secure = baseUrl.startsWith("https:");
  return {
    name: secure ? `__Host-${name}` : name,
    options: { httpOnly: true, sameSite: "lax", path: "/", secure } as const,
  };
}
