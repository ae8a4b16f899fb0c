import { z } from "zod";
import { readOperation, writeOperation } from "@/lib/api/operation";
import { route } from "@/lib/api/route";
import { withdrawInvitation } from "@/lib/members/invitations";
import { anInvitation } from "../../_shapes/examples";
import { InvitationAnswer, InvitationDetails, invitationShape } from "../../_shapes/invitation";
import { agreement, currentInvitation, InvitationId } from "../_writing";

const params = z.object({ invitation_id: InvitationId });

const getInvitation = readOperation({
  operationId: "getInvitation",
  tag: "Invitations",
  summary: "Get an invitation",
  description: "Returns one pending invitation. An invitation that was accepted or revoked returns 404.",
  returns: "The invitation.",
  example: { invitation: anInvitation },
  scope: "members.read",
  noStore: true,
  params,
  query: z.object({}),
  response: InvitationAnswer,
  handle: ({ read, params }) => currentInvitation(read, params.invitation_id),
});

const revokeInvitation = writeOperation({
  operationId: "revokeInvitation",
  tag: "Invitations",
  summary: "Revoke an invitation",
  description: "Revokes a pending invitation so that its link no longer works. The person can be invited again.",
  returns: "The revoked invitation.",
  example: { revoked: anInvitation },
  scope: "members.write",
  noStore: true,
  params,
  query: z.object({}),
  response: z
    .object({ revoked: InvitationDetails.describe("The revoked invitation.") })
    .meta({ id: "RevokedInvitation", description: "An invitation that was revoked." }),
  async handle({ db, params, key, actor, ifMatch }) {
    const agree = await agreement(db, key.id, ifMatch);
    return { revoked: invitationShape(await withdrawInvitation(db, params.invitation_id, actor, agree)) };
  },
});

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route({
  GET: getInvitation,
  DELETE: revokeInvitation,
});
