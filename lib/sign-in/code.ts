import type { Tried } from "@/lib/delays";
import { networkOf } from "@/lib/http/network";
import { attempt, HOUR, MINUTE, type Refusal } from "@/lib/sign-in/attempts";
import type { KnownBrowser } from "@/lib/sign-in/known-browser";
import { isKnownBrowser } from "@/lib/sign-in/password";

/**
 * Counts attempts with a code like sign-ins, because a code has few digits.
 * @param use spends the code, and returns null if it is wrong
 */
export function proveCode<T>(
  workspaceId: string,
  member: { id: string; email: string },
  requestHeaders: Headers,
  known: KnownBrowser | null,
  use: () => Promise<T | null>,
): Promise<T | Refusal> {
  const client = requestHeaders.get("x-forwarded-for");
  const browser = isKnownBrowser(known, workspaceId, member.id) ? known.browser : null;
  const limits = codeLimits([workspaceId, member.id], networkOf(client), browser);
  return attempt({ workspaceId, member, client, limits, event: "two_step" }, use);
}

/** Stricter for the account than those of passwords: only someone who knows the password or reads the mail gets here. */
function codeLimits(account: string[], network: string, browser: string | null): Tried[] {
  const own = { free: 4, longest: 15 * MINUTE, remembered: 24 * HOUR, clears: true };
  if (browser) return [{ by: ["code of browser", ...account, browser], ...own }];
  return [
    { by: ["code of account and network", ...account, network], ...own },
    { by: ["code of account", ...account], ...own, free: 12 },
  ];
}
