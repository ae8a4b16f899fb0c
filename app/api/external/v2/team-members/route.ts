import { z } from "zod";
import { Pagination, Paging, paginationOf, windowOf } from "@/lib/api/input";
import { readOperation } from "@/lib/api/operation";
import { route } from "@/lib/api/route";
import { listMembers } from "@/lib/members/members";
import { aPage, aTeamMember } from "../_shapes/examples";
import { memberShape, TeamMember } from "../_shapes/member";
import { urlsOf } from "../_shapes/urls";

const listTeamMembers = readOperation({
  operationId: "listTeamMembers",
  tag: "Team members",
  summary: "List team members",
  description:
    "Lists the people who work on the knowledge base, in the order they joined. Deactivated members have `active: false`. Pending invitations are not listed.",
  returns: "One page of team members.",
  example: { team_members: [aTeamMember], pagination: aPage },
  scope: "members.read",
  noStore: true,
  params: z.object({}),
  query: Paging.extend({
    email: z
      .string()
      .optional()
      .meta({
        description: "Only the member with this email, ignoring case.",
        examples: ["ada@example.com"],
      }),
  }),
  response: z
    .object({ team_members: z.array(TeamMember).describe("The members of this page."), pagination: Pagination })
    .meta({ id: "TeamMemberList", description: "One page of team members." }),
  async handle({ read, query, workspace }) {
    const urls = urlsOf(workspace);
    const { members, total } = await listMembers(read, { email: query.email, ...windowOf(query) });
    return {
      team_members: members.map((member) => memberShape(member, urls)),
      pagination: paginationOf(query, total),
    };
  },
});

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route({ GET: listTeamMembers });
