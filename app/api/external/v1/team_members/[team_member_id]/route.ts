import { former } from "@/app/api/external/v1/_shapes/former";
import { route } from "@/lib/api/route";
import { GET as successorRoute } from "../../../v2/team-members/[team_member_id]/route";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route(successorRoute.operations, former);
