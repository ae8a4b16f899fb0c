import { z } from "zod";
import { writeOperation } from "@/lib/api/operation";
import { route } from "@/lib/api/route";
import { readingOf, readWorkspace } from "@/lib/db";
import { findOpenInvitation, resendInvitation } from "@/lib/members/invitations";
import { anInvitation } from "../../../_shapes/examples";
import { InvitationAnswer } from "../../../_shapes/invitation";
import { agreement, currentInvitation, InvitationId, takeMail } from "../../_writing";

const resendOperation = writeOperation({
  operationId: "resendInvitation",
  tag: "Invitations",
  summary: "Resend an invitation",
  description:
    "Emails a new link that expires in 7 days. The old link no longer works. Invitations have their own rate limits.",
  returns: "The invitation as it is now.",
  example: { invitation: anInvitation },
  invalid: {
    field: "role",
    code: "not_allowed",
    message:
      "The role Admin has permissions that the creator of this key doesn't have: settings.manage. Ask a member who has them to rotate the key.",
  },
  scope: "members.write",
  noStore: true,
  params: z.object({ invitation_id: InvitationId }),
  query: z.object({}),
  response: InvitationAnswer,
  async before({ workspace, params, actor }) {
    const invitation = await readWorkspace(workspace.id, (read) => findOpenInvitation(read, params.invitation_id));
    if (invitation) await takeMail(workspace.id, { email: invitation.email, isRepeated: true }, actor.ip);
    return undefined;
  },
  async handle({ db, params, key, actor, ifMatch }) {
    const id = params.invitation_id;
    await resendInvitation(db, id, actor, await agreement(db, key.id, ifMatch));
    return currentInvitation(readingOf(db), id);
  },
});

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route({ POST: resendOperation });
