import { type Actor, recordAudit } from "@/lib/audit/audit";
import { inWorkspace } from "@/lib/db";
import { beginTry, FIRST_WAIT, forgetTries, forgiveTry, type Tried, type Wait } from "@/lib/delays";
import { currentRequest, outsideRequests } from "@/lib/http/request";
import { log, logSecurity } from "@/lib/log";

export interface Refusal {
  /** Whether the attempt was not even checked. */
  isEarly: boolean;
  seconds: number;
}

export const MINUTE = 60;
export const HOUR = 60 * MINUTE;

/**
 * Counts an attempt before its outcome is known, and forgets it if it succeeds. Otherwise it is logged as a security event, and
 * the audit log records when a member first has to wait.
 * @param check returns null for a failure
 */
export async function attempt<T>(
  { workspaceId, member, client, limits, event, about }: Attempt,
  check: () => Promise<T | null>,
): Promise<T | Refusal> {
  const facts = () => ({ workspace_id: workspaceId, member_id: member?.id, client, ...about });
  const wait = await beginTry(limits);
  if (!wait.allowed) {
    logSecurity(`${event}.waiting`, facts());
    return refusal(wait);
  }
  const proved = await check();
  if (proved === null) {
    await forgetTries();
    logSecurity(`${event}.failed`, { ...facts(), wait_seconds: wait.seconds });
    if (member && wait.seconds > 0 && wait.seconds <= FIRST_WAIT) noteWait(workspaceId, member, client);
    return refusal(wait);
  }
  await forgiveTry(limits);
  return proved;
}

interface Attempt {
  workspaceId: string;
  member: { id: string; email: string } | undefined;
  client: string | null;
  limits: Tried[];
  event: "sign_in" | "two_step";
  /** For the log. The check may add to it. */
  about?: Record<string, string | undefined>;
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
