import { createHash } from "node:crypto";
import { countUse, pauseOf } from "@/lib/counters";
import { networkOf } from "@/lib/network";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * How many mails go to one address, are asked for from one network and by a workspace as a whole, and in how many seconds.
 * Links are asked for by strangers too. They are counted apart from what members have sent, so that nobody who asks for
 * links in somebody's name keeps an administrator from inviting them.
 */
const limits = {
  link: { address: [4, 15 * MINUTE], network: [60, HOUR] },
  /** An invitation that is sent again, and a member's address that somebody else changes: both go to any address at all. */
  managed: { address: [4, 15 * MINUTE], network: [60, HOUR], workspace: [200, DAY] },
} as const;

/** A mail of a workspace: what it is counted by. The address is not kept, only its hash. */
interface Counted {
  workspaceId: string;
  email: string;
  /** The address of who asks; null when it is not known, which is an address too. */
  client: string | null;
}

/**
 * Counts a mail of a workspace that somebody has sent to an address.
 * @returns how many seconds to wait when it is one too many, else null
 * @throws UnavailableError
 */
export function countMail(kind: keyof typeof limits, mail: Counted): Promise<number | null> {
  return longest(kind, mail, async (...limit) => {
    const use = await countUse(...limit);
    return use?.over ? use.seconds : null;
  });
}

/**
 * Whether a mail would be one too many, without counting it: for a change that the database may still refuse, and that is
 * counted when it is made.
 * @returns as countMail does
 * @throws UnavailableError
 */
export function pauseOfMail(kind: keyof typeof limits, mail: Counted): Promise<number | null> {
  return longest(kind, mail, pauseOf);
}

/** The longest of the waits that a mail's limits come to, or null when there is none. */
async function longest(
  kind: keyof typeof limits,
  { workspaceId, email, client }: Counted,
  waitOf: (name: string, most: number, subject: string, window: number) => Promise<number | null>,
): Promise<number | null> {
  const address = createHash("sha256")
    .update(JSON.stringify([workspaceId, email.toLowerCase()]))
    .digest("base64url");
  const subjects = { network: `${workspaceId} ${networkOf(client)}`, address, workspace: workspaceId };
  const waits: number[] = [];
  for (const [by, [most, window]] of Object.entries(limits[kind])) {
    const wait = await waitOf(`${kind} mail for ${by}`, most, subjects[by as keyof typeof subjects], window);
    if (wait !== null) waits.push(wait);
  }
  return waits.length > 0 ? Math.max(...waits) : null;
}
