import { z } from "zod";
import { notFound } from "@/lib/api/errors";
import { readOperation, writeOperation } from "@/lib/api/operation";
import { route } from "@/lib/api/route";
import { InvalidError } from "@/lib/errors";
import { findMember, lockMember, MemberFields, updateMember } from "@/lib/members";
import { addressesOf } from "../../_shapes/addresses";
import { memberShape, TeamMember } from "../../_shapes/member";

const params = z.object({ team_member_id: z.guid().describe("The id from the list of team members.") });
const response = z.object({ team_member: TeamMember });

const getTeamMember = readOperation({
  summary: "Get a team member",
  permission: "read",
  noStore: true,
  params,
  query: z.object({}),
  response,
  async handle({ read, params, workspace }) {
    const member = await findMember(read, params.team_member_id);
    if (!member) throw notFound();
    return { team_member: memberShape(member, addressesOf(workspace)) };
  },
});

const updateTeamMember = writeOperation({
  summary: "Update a team member",
  permission: "read_write",
  noStore: true,
  params,
  query: z.object({}),
  body: z
    .object({
      email: MemberFields.email,
      first_name: MemberFields.firstName,
      last_name: MemberFields.lastName,
      time_zone: MemberFields.timeZone,
      organization_role: MemberFields.role,
      active: MemberFields.active,
    })
    .partial(),
  response,
  async handle({ db, params, body, workspace, key, ifMatch }) {
    const addresses = addressesOf(workspace);
    // Locked, so that of two who read the same member only one finds it as it was read.
    const before = await lockMember(db, params.team_member_id);
    ifMatch({ team_member: memberShape(before, addresses) });
    const member = await updateMember(
      db,
      before.id,
      {
        email: body.email,
        firstName: body.first_name,
        lastName: body.last_name,
        timeZone: body.time_zone,
        role: body.organization_role,
        active: body.active,
      },
      { kind: "api_key", id: key.id, name: key.name },
    ).catch(inApiWords);
    return { team_member: memberShape(member, addresses) };
  },
});

/** The product says role, the API organization_role. */
function inApiWords(error: unknown): never {
  if (!(error instanceof InvalidError)) throw error;
  throw new InvalidError(
    error.fields.map((field) => (field.field === "role" ? { ...field, field: "organization_role" } : field)),
  );
}

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route({ GET: getTeamMember, PATCH: updateTeamMember });
