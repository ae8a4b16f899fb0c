import { z } from "zod";
import { auditActions } from "@/lib/audit/actions";
import type { AuditEntry } from "@/lib/audit/audit-log";
import { nearest } from "@/lib/nearest";

const either = new Intl.ListFormat("en", { type: "disjunction" });

export const AuditAction = z
  .enum(auditActions, {
    error: ({ input }) => {
      const near = nearest(String(input), auditActions).slice(0, 3);
      return near.length > 0
        ? `Unknown action. Did you mean ${either.format(near)}?`
        : `action must be one of ${auditActions.join(", ")}.`;
    },
  })
  .meta({
    id: "AuditAction",
    description:
      "An action in the audit log. Names that begin with `articles.` are bulk actions and imports. Later versions can add actions. Resending an invitation is recorded as `invitation.sent_again`, and revoking an invitation as `invitation.withdrawn`. Canceling is spelled `cancelled` in names.",
  });

export const AuditEntryDetails = z
  .object({
    id: z.guid().describe("The entry's ID, which never changes."),
    created_at: z.iso.datetime().describe("When the change or sign-in started."),
    action: z.string().describe("What was done, such as `article.published`. `AuditAction` lists every action."),
    actor: z
      .object({
        kind: z.enum(["member", "api_key", "command_line", "system"]).describe("The kind of actor."),
        id: z.guid().nullable().describe("The ID of the member or API key. Null for other actors."),
        name: z.string().describe("The actor's name at that time. For a member, it is the email."),
      })
      .describe("Who did it."),
    subject: z
      .object({
        kind: z.string().describe("The kind of thing that was changed, such as `article`."),
        id: z
          .guid()
          .nullable()
          .describe("The ID of what was changed, even if it has since been deleted. Null if it has no ID."),
        name: z.string().describe("The name or title at that time."),
      })
      .describe("What was changed."),
    details: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
      .describe('Details of the change, such as `{ "role": "Editor → Admin" }`. The field names depend on the action.'),
    ip: z
      .string()
      .nullable()
      .describe(
        "The IP address of the request. Null once the workspace's retention period has passed, or if there was no request.",
      ),
    request_id: z.string().nullable().describe("The `X-Request-Id` of the request, or null."),
  })
  .meta({ id: "AuditEntry", description: "A recorded change or sign-in." });

export function auditEntryShape(entry: AuditEntry): z.input<typeof AuditEntryDetails> {
  const { id, at, action, actor, subject, details, ip, requestId } = entry;
  return {
    ...{ id, created_at: at.toISOString(), action },
    actor: { kind: actor.kind, id: actor.id, name: actor.name },
    subject: { kind: subject.kind, id: subject.id, name: subject.name },
    ...{ details, ip, request_id: requestId },
  };
}
