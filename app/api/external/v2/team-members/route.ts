import { z } from "zod";
import { Pagination, Paging, paginationOf, windowOf } from "@/lib/api/input";
import { readOperation } from "@/lib/api/operation";
import { route } from "@/lib/api/route";
import { listMembers } from "@/lib/members";
import { addressesOf } from "../_shapes/addresses";
import { memberShape, TeamMember } from "../_shapes/member";

const listTeamMembers = readOperation({
  summary: "List team members",
  permission: "read",
  noStore: true,
  params: z.object({}),
  query: Paging.extend({
    email: z.string().optional().describe("Only the member with this e-mail address, whatever its case."),
  }),
  response: z.object({ team_members: z.array(TeamMember), pagination: Pagination }),
  async handle({ read, query, workspace }) {
    const addresses = addressesOf(workspace);
    const { members, total } = await listMembers(read, { email: query.email, ...windowOf(query) });
    return {
      team_members: members.map((member) => memberShape(member, addresses)),
      pagination: paginationOf(query, total),
    };
  },
});

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route({ GET: listTeamMembers });
