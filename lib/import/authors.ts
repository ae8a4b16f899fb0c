import type { ArchiveData } from "@/lib/archive";
import { DATA_FILE } from "@/lib/archive";
import type { Actor } from "@/lib/audit";
import { inWorkspace, readingOf } from "@/lib/db";
import { InvalidError } from "@/lib/errors";
import type { Problem } from "@/lib/import/problem";
import { createMember, updateMember } from "@/lib/members";
import { listRoles } from "@/lib/roles";

/**
 * Makes members of an export's authors who are none here, so that articles keep their authors. They are deactivated, with
 * the role that may do least: nobody can sign in as one until somebody who manages members lets them.
 * @param known by folded e-mail address; those that are made are added
 * @returns who cannot be one, and why
 */
export async function bringAuthors(
  workspaceId: string,
  authors: ArchiveData["authors"],
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
      problems.push({ path: DATA_FILE, message: `The author ${email} was not taken. ${error.message}` });
    }
  }
  return problems;
}
