import { z } from "zod";
import type { AuditFilter, AuditPlace } from "@/lib/audit/audit-log";
import { addressWith, type Query, wordOf } from "../../_form";

/** Reads the filter of the log from a URL. Ignores invalid values. */
export function auditFilterOf(query: Query, timeZone: string): AuditFilter {
  const actor = wordOf(query.actor);
  const isActor = ["command_line", "system"].includes(actor) || z.guid().safeParse(actor).success;
  return {
    actor: isActor ? actor : undefined,
    subject: wordOf(query.subject) || undefined,
    action: wordOf(query.action) || undefined,
    from: dayOf(query.from),
    to: dayOf(query.to),
    timeZone,
  };
}

/** The URL of a page of the log with this filter. */
export function auditAddress(path: string, filter: AuditFilter, place: Record<string, string> = {}): string {
  const { actor, subject, action, from, to } = filter;
  return addressWith(path, { ...place, actor, subject, action, from, to });
}

/** A position in the log, from the URL. */
export function placeOf(value: string | string[] | undefined): AuditPlace | undefined {
  const [time = "", id = ""] = wordOf(value).split("_");
  const at = new Date(time);
  return !/^[12]\d{3}-/.test(time) || Number.isNaN(at.getTime()) || !z.guid().safeParse(id).success
    ? undefined
    : { at, id };
}

export function placeText({ at, id }: AuditPlace): string {
  return `${at.toISOString()}_${id}`;
}

/** A valid day, within the years that a log can cover. */
function dayOf(value: string | string[] | undefined): string | undefined {
  const text = wordOf(value);
  return z.iso.date().safeParse(text).success && /^(19|2\d)/.test(text) ? text : undefined;
}
