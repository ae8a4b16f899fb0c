/** The path in v2, which every answer of v1 names. */
export function successor(path: string): string {
  return path.replace("/api/external/v1/", "/api/external/v2/").replace("/team_members", "/team-members");
}
