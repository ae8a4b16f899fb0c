import { z } from "zod";
import type { AuditFilter, AuditPlace } from "@/lib/audit-log";
import { addressWith, wordOf } from "../../_form";

export type Asked = Record<string, string | string[] | undefined>;

/** What of the log an address asks for; what it says of no use is as if it were not there. */
export function auditFilterOf(asked: Asked, timeZone: string): AuditFilter {
  const actor = wordOf(asked.actor);
  const isActor = ["command_line", "system"].includes(actor) || z.guid().safeParse(actor).success;
  return {
    actor: isActor ? actor : undefined,
    subject: wordOf(asked.subject) || undefined,
    action: wordOf(asked.action) || undefined,
    from: dayOf(asked.from),
    to: dayOf(asked.to),
    timeZone,
  };
}

/** The address of a page of the log with this filter. */
export function auditAddress(path: string, filter: AuditFilter, place: Record<string, string> = {}): string {
  const { actor, subject, action, from, to } = filter;
  return addressWith(path, { ...place, actor, subject, action, from, to });
}

/** A place in the log as an address has it. */
export function placeOf(asked: string | string[] | undefined): AuditPlace | undefined {
  const [time = "", id = ""] = wordOf(asked).split("_");
  const at = new Date(time);
  return !/^[12]\d{3}-/.test(time) || Number.isNaN(at.getTime()) || !z.guid().safeParse(id).success
    ? undefined
    : { at, id };
}

export function placeText({ at, id }: AuditPlace): string {
  return `${at.toISOString()}_${id}`;
}

/** A day that there is, of the years that a log can be of. */
function dayOf(asked: string | string[] | undefined): string | undefined {
  const text = wordOf(asked);
  return z.iso.date().safeParse(text).success && /^(19|2\d)/.test(text) ? text : undefined;
}
