import { route } from "@/lib/api/route";

/** Whatever is below /api and is nothing: JSON too (contract 25). */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route({});
