import { version } from "@/app/api/external/v1/_document/document";
import { documentRoute } from "@/lib/api/openapi";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = documentRoute(version);
