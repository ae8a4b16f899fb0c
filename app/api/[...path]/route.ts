import { route } from "@/lib/api/route";

/** Answers unknown paths below /api in JSON too (contract 25). */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route({});
