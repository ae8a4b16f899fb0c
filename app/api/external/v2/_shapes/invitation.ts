import { z } from "zod";
import type { Invitation } from "@/lib/members/invitations";

export const InvitationDetails = z
  .object({
    id: z.guid().describe("The invitation's ID, which never changes."),
    email: z.string().describe("The email of the invited person."),
    role: z.string().describe("The exact name of the role that the person gets."),
    sent_at: z.iso.datetime().describe("When the invitation was last sent."),
    expires_at: z.iso.datetime().describe("When the link expires. Expired invitations stay in the list."),
    invited_by: z
      .object({
        kind: z.enum(["member", "api_key"]).describe("A team member or an API key."),
        id: z.guid().describe("The ID of the member or key."),
        name: z.string().describe("The name of the member or key."),
      })
      .nullable()
      .describe("Who first sent the invitation. Null if it was sent from the command line."),
  })
  .meta({ id: "Invitation", description: "A pending invitation. Only the email contains its link." });

export const InvitationAnswer = z
  .object({ invitation: InvitationDetails.describe("The invitation.") })
  .meta({ id: "InvitationAnswer", description: "One invitation." });

export function invitationShape(invitation: Invitation): z.input<typeof InvitationDetails> {
  const { id, email, role, sentAt, expiresAt, invitedBy } = invitation;
  return {
    ...{ id, email, role, invited_by: invitedBy },
    sent_at: sentAt.toISOString(),
    expires_at: expiresAt.toISOString(),
  };
}
