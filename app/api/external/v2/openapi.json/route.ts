import { documentRoute } from "@/lib/api/openapi";
import { version } from "../document";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = documentRoute(version);
