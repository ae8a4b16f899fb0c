import type { Former } from "@/lib/api/route";

export const former: Former = {
  /** The path in v2, which every answer of v1 names. */
  successor: (path) => path.replace("/api/external/v1/", "/api/external/v2/").replace("/team_members", "/team-members"),
  omits: ["visibility", "visibility_setting"],
  ignores: ["updated_since", "tag", "author_email", "external_id", "has_draft"],
};
