import type { Actor } from "@/lib/audit/audit";
import type { Db, Read } from "@/lib/db";
import { changeWorkspace } from "@/lib/settings/change-workspace";

/** Days that the audit log can keep entries. Null means forever. */
export const entryDays = [null, 1825, 730, 365, 90] as const;
/** Days that entries can keep their IP address. */
export const ipDays = [365, 180, 90, 30] as const;

export interface Retention {
  entries: (typeof entryDays)[number];
  ips: (typeof ipDays)[number];
}

const MOST_COUNTED = 100_000;

export async function findRetention(read: Read): Promise<Retention> {
  const [found] = await read<Retention>("SELECT audit_days AS entries, audit_ip_days AS ips FROM workspaces");
  if (!found) throw new Error("The wall shows no workspace.");
  return found;
}

/** Warnings about the data that a change deletes. Empty if it deletes nothing. @param changes absent means unchanged */
export async function lossesOf(read: Read, changes: Partial<Retention>): Promise<string[]> {
  const before = await findRetention(read);
  const { entries, ips } = { ...before, ...changes };
  const older = async (days: number, more = "", values: unknown[] = []) => {
    const [found] = await read<{ count: number }>(
      `SELECT count(*)::int AS count FROM (
         SELECT FROM audit_entries WHERE created_at < now() - make_interval(days => $1) ${more} LIMIT ${MOST_COUNTED + 1}) older`,
      [days, ...values],
    );
    return found?.count ?? 0;
  };
  const losses: string[] = [];
  if (entries !== null && entries < (before.entries ?? Number.POSITIVE_INFINITY)) {
    const count = await older(entries);
    const verb = count === 1 ? "is" : "are";
    if (count > 0)
      losses.push(`${capitalized(inWords(count))} ${verb} older than ${spokenDays(entries)} and will be deleted.`);
  }
  if (ips < before.ips) {
    const isKept = "($2::int IS NULL OR created_at >= now() - make_interval(days => $2::int))";
    const count = await older(ips, `AND ip IS NOT NULL AND ${isKept}`, [entries]);
    if (count > 0) losses.push(`The IP ${count === 1 ? "address" : "addresses"} of ${inWords(count)} will be deleted.`);
  }
  return losses;
}

/**
 * Changes how long the audit log is kept. A job deletes what is older (server/jobs/worker.ts).
 * @param changes absent means unchanged
 */
export async function changeRetention(db: Db, changes: Partial<Retention>, actor: Actor): Promise<void> {
  await changeWorkspace(db, { auditDays: changes.entries, auditIpDays: changes.ips }, actor, {
    details: ({ auditDays, auditIpDays }) => {
      const { entries = auditDays, ips = auditIpDays } = changes;
      return {
        ...(entries !== auditDays && { auditDays: `${spokenDays(auditDays)} → ${spokenDays(entries)}` }),
        ...(ips !== auditIpDays && { auditIpDays: `${spokenDays(auditIpDays)} → ${spokenDays(ips)}` }),
      };
    },
  });
}

/** Such as "2 years" or "90 days". */
export function spokenDays(days: number | null): string {
  if (days === null) return "forever";
  const years = days / 365;
  if (!Number.isInteger(years)) return `${days} days`;
  return years === 1 ? "1 year" : `${years} years`;
}

function inWords(count: number): string {
  if (count > MOST_COUNTED) return `more than ${MOST_COUNTED.toLocaleString("en")} entries`;
  return `${count.toLocaleString("en")} ${count === 1 ? "entry" : "entries"}`;
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
