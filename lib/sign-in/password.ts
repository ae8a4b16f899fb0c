import { z } from "zod";
import { readWorkspace } from "@/lib/db";
import type { Tried } from "@/lib/delays";
import { networkOf } from "@/lib/http/network";
import { verifyPassword } from "@/lib/members/passwords";
import { attempt, HOUR, MINUTE, type Refusal } from "@/lib/sign-in/attempts";
import type { KnownBrowser } from "@/lib/sign-in/known-browser";

interface ProvedMember {
  id: string;
  email: string;
  passwordHash: string;
  /** Whether the member has signed in with this browser before. */
  isKnown: boolean;
}

/** Does the same work for an unknown email, so timing tells nothing. */
export async function provePassword(
  workspace: { id: string },
  email: string,
  password: string,
  requestHeaders: Headers,
  known: KnownBrowser | null,
): Promise<ProvedMember | Refusal> {
  const address = z.email().safeParse(String(email).trim().normalize("NFC"));
  const [member] = await readWorkspace(workspace.id, (read) =>
    read<{ id: string; email: string; passwordHash: string | null }>(
      `SELECT id, email, password_hash AS "passwordHash" FROM members
       WHERE workspace_id = $1 AND email_folded = lower($2) AND active`,
      [workspace.id, address.data ?? ""],
    ),
  );
  const isKnown = isKnownBrowser(known, workspace.id, member?.id);
  const account = [workspace.id, String(email).trim().normalize("NFC").toLowerCase().slice(0, 254)];
  const client = requestHeaders.get("x-forwarded-for");
  const limits = attemptLimits({ account, network: networkOf(client), browser: isKnown ? known.browser : null });
  return attempt<ProvedMember>({ workspaceId: workspace.id, member, client, limits, event: "sign_in" }, async () => {
    // Outside the wall, which would hold a connection.
    const isRight = await verifyPassword(String(password), member?.passwordHash ?? null);
    return isRight && member?.passwordHash ? { ...member, passwordHash: member.passwordHash, isKnown } : null;
  });
}

export function isKnownBrowser(
  known: KnownBrowser | null,
  workspaceId: string,
  memberId: string | undefined,
): known is KnownBrowser {
  return known !== null && known.workspace === workspaceId && known.member === memberId;
}

/**
 * A known browser has its own counter, so no stranger can lock a member out of it. The account as a whole is counted,
 * or many networks would mean many times the attempts.
 * @param attempt `account` is null if none is known
 */
export function attemptLimits(attempt: { account: string[] | null; network: string; browser: string | null }): Tried[] {
  const network = { by: ["network", attempt.network], free: 50, longest: MINUTE / 2, remembered: HOUR, clears: false };
  if (!attempt.account) return [network];
  const own = { free: 4, longest: 15 * MINUTE, remembered: 24 * HOUR, clears: true };
  if (attempt.browser) return [{ by: ["browser", ...attempt.account, attempt.browser], ...own }];
  return [
    { by: ["account and network", ...attempt.account, attempt.network], ...own },
    network,
    { by: ["account", ...attempt.account], free: 100, longest: MINUTE, remembered: HOUR, clears: false },
  ];
}
