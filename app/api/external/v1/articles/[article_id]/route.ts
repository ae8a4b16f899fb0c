import { former } from "@/app/api/external/v1/_shapes/former";
import { route } from "@/lib/api/route";
import { GET as successorRoute } from "../../../v2/articles/[article_id]/route";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route({ GET: successorRoute.operations.GET! }, former);
