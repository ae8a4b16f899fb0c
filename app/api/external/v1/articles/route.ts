import { route } from "@/lib/api/route";
import { GET as successorRoute } from "../../v2/articles/route";
import { successor } from "../_successor";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route(successorRoute.operations, successor);
