import { z } from "zod";
import { Pagination, Paging, paginationOf, windowOf } from "@/lib/api/input";
import { created, readOperation, writeOperation } from "@/lib/api/operation";
import { route } from "@/lib/api/route";
import { reachOfKey } from "@/lib/api-keys/api-keys";
import { type Read, readingOf, readWorkspace } from "@/lib/db";
import { InvalidError, type InvalidField } from "@/lib/errors";
import { invitationConflicts, inviteMember, listInvitations, wasInvited } from "@/lib/members/invitations";
import { MemberFields } from "@/lib/members/members";
import { anInvitation, aPage } from "../_shapes/examples";
import { InvitationAnswer, InvitationDetails, invitationShape } from "../_shapes/invitation";
import { takeMail } from "./_writing";

const listOperation = readOperation({
  operationId: "listInvitations",
  tag: "Invitations",
  summary: "List invitations",
  description: "Lists the pending invitations, including expired ones, most recently sent first.",
  returns: "One page of invitations.",
  example: { invitations: [anInvitation], pagination: aPage },
  scope: "members.read",
  noStore: true,
  params: z.object({}),
  query: Paging,
  response: z
    .object({
      invitations: z.array(InvitationDetails).describe("The invitations of this page."),
      pagination: Pagination,
    })
    .meta({ id: "InvitationList", description: "One page of invitations." }),
  async handle({ read, query }) {
    const { invitations, total } = await listInvitations(read, windowOf(query));
    return { invitations: invitations.map(invitationShape), pagination: paginationOf(query, total) };
  },
});

const createOperation = writeOperation({
  operationId: "createInvitation",
  tag: "Invitations",
  summary: "Invite a person",
  description:
    "Emails an invitation link that works once and expires in 7 days. Only the email contains the link. A key can assign only the roles that its creator can assign. Invitations have their own rate limits.",
  returns: "The new invitation.",
  example: { invitation: anInvitation },
  invalid: {
    field: "email",
    code: "taken",
    message: "grace@example.com already has an invitation. Resend that invitation instead.",
  },
  scope: "members.write",
  noStore: true,
  creates: "always",
  params: z.object({}),
  query: z.object({}),
  body: z
    .object({
      email: MemberFields.email.meta({
        description: "The email of the person, at most 254 characters.",
        override: { format: "email", minLength: 1, maxLength: 254, examples: [anInvitation.email] },
      }),
      role: z.string({ error: "role must be text." }).meta({
        description: "The exact name of a role of the workspace, including case.",
        examples: [anInvitation.role],
      }),
    })
    .meta({ id: "NewInvitation", description: "Who to invite." }),
  response: InvitationAnswer,
  conflicts: ({ read, key, body }) => conflicts(read, key.id, body),
  async before({ workspace, key, body, actor }) {
    const mail = await readWorkspace(workspace.id, async (read) =>
      (await conflicts(read, key.id, body)).length > 0
        ? null
        : { email: body.email, isRepeated: await wasInvited(read, body.email) },
    );
    if (mail) await takeMail(workspace.id, mail, actor.ip);
    return undefined;
  },
  async handle({ db, key, body, actor }) {
    const refused = await conflicts(readingOf(db), key.id, body);
    if (refused.length > 0) throw new InvalidError(refused);
    const invitation = invitationShape(await inviteMember(db, body, actor));
    return created({ invitation }, `/invitations/${invitation.id}`);
  },
});

async function conflicts(read: Read, keyId: string, body: { email?: string; role?: string }): Promise<InvalidField[]> {
  const beyond = body.role === undefined ? null : (await reachOfKey(read, keyId))(body.role);
  return [...(await invitationConflicts(read, body)), ...(beyond ? [beyond] : [])];
}

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route({ GET: listOperation, POST: createOperation });
