import type { Actor } from "@/lib/audit/audit";
import { inWorkspace, readingOf } from "@/lib/db";
import { InvalidError } from "@/lib/errors";
import type { ExportData } from "@/lib/export/format";
import { DATA_FILE } from "@/lib/export/format";
import type { Problem } from "@/lib/import/problem";
import { createMember, updateMember } from "@/lib/members/members";
import { listRoles } from "@/lib/members/roles";

/**
 * Adds an export's authors as deactivated members with the role that has the fewest permissions, so that articles keep their
 * authors and nobody can sign in. Adds them to `known` by folded email address. Returns authors who cannot be members, and why.
 */
export async function bringAuthors(
  workspaceId: string,
  authors: ExportData["authors"],
  known: Map<string, string>,
  actor: Actor,
): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (const { email, first_name: firstName, last_name: lastName } of authors) {
    if (known.has(email.toLowerCase())) continue;
    try {
      const { id } = await inWorkspace(workspaceId, async (db) => {
        const roles = await listRoles(readingOf(db));
        const [least] = roles.sort((a, b) => a.permissions.length - b.permissions.length);
        const made = await createMember(db, { email, firstName, lastName, role: least?.name ?? "" }, actor);
        return updateMember(db, made.id, { active: false }, actor);
      });
      known.set(email.toLowerCase(), id);
    } catch (error) {
      if (!(error instanceof InvalidError)) throw error;
      problems.push({ path: DATA_FILE, message: `The author ${email} was not added. ${error.message}` });
    }
  }
  return problems;
}
