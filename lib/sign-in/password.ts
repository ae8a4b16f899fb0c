import { z } from "zod";
import { type Actor, recordAudit } from "@/lib/audit/audit";
import { inWorkspace, readWorkspace } from "@/lib/db";
import { beginTry, FIRST_WAIT, forgetTries, forgiveTry, type Tried, type Wait } from "@/lib/delays";
import { networkOf } from "@/lib/http/network";
import { currentRequest, outsideRequests } from "@/lib/http/request";
import { log, logSecurity } from "@/lib/log";
import { verifyPassword } from "@/lib/members/passwords";
import type { KnownBrowser } from "@/lib/sign-in/known-browser";

export interface Refusal {
  /** Whether the password was not even checked. */
  isEarly: boolean;
  seconds: number;
}

interface ProvedMember {
  id: string;
  email: string;
  passwordHash: string;
  /** Whether the member has signed in with this browser before. */
  isKnown: boolean;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;

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
  const isKnown = known !== null && known.workspace === workspace.id && known.member === member?.id;
  const account = [workspace.id, String(email).trim().normalize("NFC").toLowerCase().slice(0, 254)];
  const client = requestHeaders.get("x-forwarded-for");
  const network = networkOf(client);
  const event = { workspace_id: workspace.id, member_id: member?.id, client };
  const limits = attemptLimits({ account, network, browser: isKnown ? known.browser : null });
  const wait = await beginTry(limits);
  if (!wait.allowed) {
    logSecurity("sign_in.waiting", event);
    return refusal(wait);
  }
  // Outside the wall, which would hold a connection.
  const isRight = await verifyPassword(String(password), member?.passwordHash ?? null);
  if (!isRight || !member?.passwordHash) {
    await forgetTries();
    logSecurity("sign_in.failed", { ...event, wait_seconds: wait.seconds });
    if (member && wait.seconds > 0 && wait.seconds <= FIRST_WAIT) noteWait(workspace.id, member, client);
    return refusal(wait);
  }
  await forgiveTry(limits);
  return { ...member, passwordHash: member.passwordHash, isKnown };
}

/** Runs in the background, because response times must not reveal whether the member exists. */
function noteWait(workspaceId: string, { id, email }: { id: string; email: string }, client: string | null): void {
  const requestId = currentRequest()?.id;
  const actor: Actor = { kind: "system", id: null, name: "Lectern", ip: client ?? undefined, requestId };
  const write = () =>
    inWorkspace(workspaceId, (db) =>
      recordAudit(db, actor, "member.sign_in_paused", { kind: "member", id, name: email }),
    );
  outsideRequests(
    () => void write().catch((error: unknown) => log().error({ err: error }, "An audit entry was lost.")),
  );
}

const refusal = ({ allowed, seconds }: Wait): Refusal => ({ isEarly: !allowed, seconds });

/**
 * A known browser has its own counter, so no stranger can lock a member out of it. The account as a whole is counted,
 * or many networks would mean many times the attempts.
 */
function attemptLimits(attempt: { account: string[]; network: string; browser: string | null }): Tried[] {
  const own = { free: 4, longest: 15 * MINUTE, remembered: 24 * HOUR, clears: true };
  if (attempt.browser) return [{ by: ["browser", ...attempt.account, attempt.browser], ...own }];
  return [
    { by: ["account and network", ...attempt.account, attempt.network], ...own },
    { by: ["network", attempt.network], free: 50, longest: MINUTE / 2, remembered: HOUR, clears: false },
    { by: ["account", ...attempt.account], free: 100, longest: MINUTE, remembered: HOUR, clears: false },
  ];
}
