import { z } from "zod";
import { PageSize } from "@/lib/api/input";
import { readOperation } from "@/lib/api/operation";
import { route } from "@/lib/api/route";
import { cursorAt, listAuditEntries, placeOfCursor } from "@/lib/audit/audit-log";
import { AuditAction, AuditEntryDetails, auditEntryShape } from "../_shapes/audit-entry";
import { anAuditEntry } from "../_shapes/examples";

const CURSOR = cursorAt({ at: new Date(anAuditEntry.created_at), id: anAuditEntry.id });
const NOT_A_CURSOR = "before must be a cursor of an earlier response.";

const moment = (name: string, description: string, example: string) =>
  z.iso
    .datetime({ offset: true, error: `${name} must be a time such as 2026-01-31T09:30:00Z.` })
    .transform((text) => new Date(text))
    .optional()
    .meta({ description, override: { type: "string", format: "date-time", examples: [example] } });

const listOperation = readOperation({
  operationId: "listAuditEntries",
  tag: "Audit log",
  summary: "List audit entries",
  description: [
    "Lists the audit log, newest first. A bulk action is one entry.",
    "For older entries, send the `cursor` of the response as `before`, with the same filters. New entries don't affect older pages, so no entry is repeated or skipped. There is no total, because counting a long log takes longer than reading a page of it.",
    "`created_at` is the time when the change started. The entry is listed once the change is complete, usually within seconds. To keep a copy up to date, start each read a few minutes before your newest entry and skip the IDs that you already have.",
  ].join("\n\n"),
  returns: "Audit entries, newest first, and where to continue.",
  example: { audit_entries: [anAuditEntry], cursor: null },
  invalid: { field: "before", code: "invalid", message: NOT_A_CURSOR },
  scope: "audit.read",
  noStore: true,
  isSlow: () => true,
  params: z.object({}),
  query: z.object({
    since: moment("since", "Only entries from this time on.", "2026-01-01T00:00:00Z"),
    until: moment("until", "Only entries before this time.", "2026-02-01T00:00:00Z"),
    action: AuditAction.optional().meta({
      description: "Only entries with this action.",
      examples: ["member.updated"],
    }),
    actor_id: z
      .guid({ error: "actor_id must be the ID of a member or key." })
      .optional()
      .meta({ description: "Only entries by this member or API key.", examples: [anAuditEntry.actor.id] }),
    before: z
      .string()
      .refine((text) => placeOfCursor(text) !== null, { error: NOT_A_CURSOR })
      .optional()
      .meta({ description: "The `cursor` of an earlier response. Default: the newest entries.", examples: [CURSOR] }),
    page_size: PageSize,
  }),
  response: z
    .object({
      audit_entries: z.array(AuditEntryDetails).describe("The entries of this page."),
      cursor: z
        .string()
        .nullable()
        .describe("An opaque cursor for the next, older page. Null if there are no older entries."),
    })
    .meta({ id: "AuditEntryList", description: "A part of the audit log." }),
  async handle({ read, query }) {
    const { since, until, action, actor_id: actor, before, page_size: limit } = query;
    const place = (before && placeOfCursor(before)) || undefined;
    const filter = { since, until, action, actor, timeZone: "UTC" };
    const { entries, hasOlder } = await listAuditEntries(read, filter, { before: place, limit });
    const last = entries.at(-1);
    return { audit_entries: entries.map(auditEntryShape), cursor: hasOlder && last ? cursorAt(last) : null };
  },
});

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route({ GET: listOperation });
