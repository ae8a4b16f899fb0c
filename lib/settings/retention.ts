import type { Actor } from "@/lib/audit/audit";
import { type Db, type Read, readingOf } from "@/lib/db";
import { changeWorkspace } from "@/lib/settings/change-workspace";

/** Days that the audit log can keep entries. Null is permanently. */
export const entryDays = [null, 1825, 730, 365, 90] as const;
/** Days that entries can keep their IP address. */
export const ipDays = [365, 180, 90, 30] as const;

export interface Retention {
  entries: (typeof entryDays)[number];
  ips: (typeof ipDays)[number];
}

/** Counting stops here. */
const MOST_COUNTED = 100_000;

export async function findRetention(read: Read): Promise<Retention> {
  const [found] = await read<Retention>("SELECT audit_days AS entries, audit_ip_days AS ips FROM workspaces");
  if (!found) throw new Error("The wall shows no workspace.");
  return found;
}

/** The sentences that say what a change deletes. None if no time gets shorter, or nothing is that old. */
export async function lossesOf(read: Read, { entries, ips }: Retention): Promise<string[]> {
  const before = await findRetention(read);
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
    if (count > 0) losses.push(`${counted(count)} ${verb} older than ${spokenDays(entries)} and will be deleted.`);
  }
  if (ips < before.ips) {
    const isKept = "($2::int IS NULL OR created_at >= now() - make_interval(days => $2::int))";
    const count = await older(ips, `AND ip IS NOT NULL AND ${isKept}`, [entries]);
    if (count > 0) losses.push(`${counted(count)} will lose the IP address.`);
  }
  return losses;
}

/** Changes how long the audit log is kept. A job deletes what is older (server/jobs/worker.ts). */
export async function changeRetention(db: Db, { entries, ips }: Retention, actor: Actor): Promise<void> {
  const before = await findRetention(readingOf(db));
  const details = {
    ...(entries !== before.entries && { auditDays: `${spokenDays(before.entries)} → ${spokenDays(entries)}` }),
    ...(ips !== before.ips && { auditIpDays: `${spokenDays(before.ips)} → ${spokenDays(ips)}` }),
  };
  await changeWorkspace(db, { auditDays: entries, auditIpDays: ips }, actor, { details });
}

/** Such as "2 years" or "90 days". */
export function spokenDays(days: number | null): string {
  if (days === null) return "forever";
  const years = days / 365;
  if (!Number.isInteger(years)) return `${days} days`;
  return years === 1 ? "1 year" : `${years} years`;
}

function counted(count: number): string {
  if (count > MOST_COUNTED) return `More than ${MOST_COUNTED.toLocaleString("en")} entries`;
  return `${count.toLocaleString("en")} ${count === 1 ? "entry" : "entries"}`;
}
