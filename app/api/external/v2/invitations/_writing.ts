import { z } from "zod";
import { HttpError, notFound } from "@/lib/api/errors";
import { reachOfKey } from "@/lib/api-keys/api-keys";
import { takeLimit } from "@/lib/counters";
import { type Db, type Read, readingOf } from "@/lib/db";
import { InvalidError } from "@/lib/errors";
import { tooManyRequests } from "@/lib/limits";
import { findOpenInvitation, type Invitation } from "@/lib/members/invitations";
import { anInvitation } from "../_shapes/examples";
import { InvitationAnswer, invitationShape } from "../_shapes/invitation";

export const InvitationId = z.guid().meta({ description: "The invitation's ID.", examples: [anInvitation.id] });

/** The answer of `GET`. Throws 404. */
export async function currentInvitation(read: Read, id: string): Promise<z.input<typeof InvitationAnswer>> {
  const invitation = await findOpenInvitation(read, id);
  if (!invitation) throw notFound();
  return { invitation: invitationShape(invitation) };
}

/** @returns a function that refuses an invitation with another ETag, or to a role that the key can't give */
export async function agreement(
  db: Db,
  keyId: string,
  ifMatch: (current: unknown, schema: z.ZodType) => void,
): Promise<(before: Invitation) => void> {
  const refusal = await reachOfKey(readingOf(db), keyId);
  return (before) => {
    ifMatch({ invitation: invitationShape(before) }, InvitationAnswer);
    const refused = refusal(before.role);
    if (refused) throw new InvalidError([refused]);
  };
}

/**
 * Counts a mail. Throws 429 if the workspace or the installation can't send it now.
 * @param isRepeated whether the email already got an invitation
 */
export async function takeMail(
  workspaceId: string,
  { email, isRepeated }: { email: string; isRepeated: boolean },
  ip: string | undefined,
): Promise<void> {
  const network = ip ?? null;
  const seconds =
    (isRepeated ? await takeLimit("memberMail", { workspace: workspaceId, email, network }) : null) ??
    (await takeLimit("invite", { workspace: workspaceId, network })) ??
    (await takeLimit("inviteAnywhere", {}));
  if (seconds === null) return;
  const message = `No invitation was sent. Too many were sent recently. Try again in ${seconds} seconds.`;
  throw new HttpError("rate_limited", message, tooManyRequests(seconds));
}
