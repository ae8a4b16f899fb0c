import { z } from "zod";
import { HttpError, notFound } from "@/lib/api/errors";
import { readOperation, writeOperation } from "@/lib/api/operation";
import { route } from "@/lib/api/route";
import { reachOfKey } from "@/lib/api-keys/api-keys";
import { checkLimit, takeLimit } from "@/lib/counters";
import { readingOf, readWorkspace } from "@/lib/db";
import { InvalidError, type InvalidField } from "@/lib/errors";
import { tooManyRequests } from "@/lib/limits";
import {
  findMember,
  type Member,
  type MemberChanges,
  MemberFields,
  memberConflicts,
  updateMember,
} from "@/lib/members/members";
import { aTeamMember } from "../../_shapes/examples";
import { memberShape, TeamMember } from "../../_shapes/member";
import { urlsOf } from "../../_shapes/urls";

const params = z.object({
  team_member_id: z.guid().meta({ description: "The member's ID.", examples: [aTeamMember.id] }),
});
const response = z
  .object({ team_member: TeamMember })
  .meta({ id: "TeamMemberAnswer", description: "One team member." });

const getTeamMember = readOperation({
  operationId: "getTeamMember",
  tag: "Team members",
  summary: "Get a team member",
  description:
    "Returns one member. Send the response's `ETag` in `If-Match` with a later change so that you don't overwrite a newer change.",
  returns: "The team member.",
  example: { team_member: aTeamMember },
  scope: "members.read",
  noStore: true,
  params,
  query: z.object({}),
  response,
  async handle({ read, params, workspace }) {
    const member = await findMember(read, params.team_member_id);
    if (!member) throw notFound();
    return { team_member: memberShape(member, urlsOf(workspace)) };
  },
});

/** Repeats the checks of `MemberFields` for the document, which cannot see through transforms. */
const length = (most: number) => ({ minLength: 1, maxLength: most });

const Body = z
  .object({
    email: MemberFields.email.meta({
      description: "The email, at most 254 characters, unique in the workspace regardless of case.",
      override: { format: "email", ...length(254), examples: ["ada@example.com"] },
    }),
    first_name: MemberFields.firstName.meta({
      description: "The first name, at most 100 characters.",
      override: { ...length(100), examples: ["Ada"] },
    }),
    last_name: MemberFields.lastName.meta({
      description: "The last name, at most 100 characters.",
      override: { ...length(100), examples: ["Lovelace"] },
    }),
    time_zone: MemberFields.timeZone.meta({
      description: "An IANA time zone, not an offset.",
      override: { ...length(100), examples: ["Europe/London"] },
    }),
    organization_role: MemberFields.role.meta({
      description: "The exact name of a role of the workspace, including case.",
      examples: ["Collaborator"],
    }),
    active: MemberFields.active.meta({
      description: "Whether the member can sign in.",
      examples: [true],
    }),
  })
  .partial()
  .meta({ id: "TeamMemberChanges", description: "The fields to change. Other fields are ignored." });

const updateTeamMember = writeOperation({
  operationId: "updateTeamMember",
  tag: "Team members",
  summary: "Update a team member",
  description:
    "Changes the fields you send and leaves the others unchanged. You can send back a whole member as returned by `GET`. Changing `email` or setting `active` to `false` ends the member's sessions immediately. If `email` changes, Lectern notifies both the old and the new email. Email changes have their own rate limits. The last administrator (the last active member whose role can manage members and change settings) can't be demoted or deactivated.",
  returns: "The team member as it is now.",
  example: { team_member: aTeamMember },
  invalid: {
    field: "email",
    code: "taken",
    message: "Another member of this workspace has this email.",
  },
  scope: "members.write",
  noStore: true,
  params,
  query: z.object({}),
  body: Body,
  ignored: true,
  response,
  async conflicts({ read, params, body }) {
    return (await memberConflicts(read, params.team_member_id, changesOf(body))).map(inApiWords);
  },
  /**
   * A program can choose who gets the mail about a changed email (contract 34), so mails are limited. They are counted after
   * the change, because a conflicting change must answer that the email is taken (contract 33).
   */
  async before({ workspace, params, body, actor }) {
    const { email } = body;
    if (email === undefined) return undefined;
    const { member, refused } = await readWorkspace(workspace.id, async (read) => ({
      member: await findMember(read, params.team_member_id),
      refused: await memberConflicts(read, params.team_member_id, changesOf(body)),
    }));
    if (!member || member.email === email || refused.length > 0) return undefined;
    const mail = { workspace: workspace.id, email, network: actor.ip ?? null };
    const seconds = await checkLimit("memberMail", mail);
    if (seconds !== null) {
      const message = `Nothing was changed. Too many emails were changed recently. Try again in ${seconds} seconds.`;
      throw new HttpError("rate_limited", message, tooManyRequests(seconds));
    }
    return () => takeLimit("memberMail", mail);
  },
  async handle({ db, params, body, key, workspace, actor, ifMatch }) {
    const answer = (member: Member) => ({ team_member: memberShape(member, urlsOf(workspace)) });
    const { organization_role: role } = body;
    const refusal = role === undefined ? null : await reachOfKey(readingOf(db), key.id);
    const agree = (before: Member) => {
      ifMatch(answer(before));
      const refused = refusal && role !== before.role ? (refusal(before.role) ?? refusal(role as string)) : null;
      if (refused) throw new InvalidError([refused]);
    };
    const member = await updateMember(db, params.team_member_id, changesOf(body), actor, agree).catch(
      (error: unknown) => {
        throw error instanceof InvalidError ? new InvalidError(error.fields.map(inApiWords)) : error;
      },
    );
    return answer(member);
  },
});

function changesOf(body: z.output<typeof Body>): MemberChanges {
  return {
    email: body.email,
    firstName: body.first_name,
    lastName: body.last_name,
    timeZone: body.time_zone,
    role: body.organization_role,
    active: body.active,
  };
}

/** The product says role, the API organization_role. */
function inApiWords(field: InvalidField): InvalidField {
  return field.field === "role" ? { ...field, field: "organization_role" } : field;
}

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route({ GET: getTeamMember, PATCH: updateTeamMember });
