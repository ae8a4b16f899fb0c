import type { Actor } from "@/lib/audit/audit";
import { type Db, type Read, readingOf } from "@/lib/db";
import { InvalidError } from "@/lib/errors";
import type { Permission } from "@/lib/members/roles";
import { findTwoStep } from "@/lib/members/two-step-codes";
import { isConcerned, type TwoStepRule } from "@/lib/members/two-step-rule";
import { changeWorkspace } from "@/lib/settings/change-workspace";

/** The rule of the workspace, and how many of its active members use two-step verification. */
export async function findTwoStepRule(read: Read): Promise<{ rule: TwoStepRule; members: number; using: number }> {
  const [found] = await read<{ rule: TwoStepRule; members: number; using: number }>(
    `SELECT w.two_step_rule AS rule,
       (SELECT count(*)::int FROM members m WHERE m.active) AS members,
       (SELECT count(*)::int FROM members m JOIN two_step t ON t.workspace_id = m.workspace_id AND t.id = m.id
        WHERE m.active AND t.on_since IS NOT NULL) AS using
     FROM workspaces w`,
  );
  if (!found) throw new Error("The wall shows no workspace.");
  return found;
}

/**
 * Changes who must use two-step verification, from the next request on.
 * @throws InvalidError for `rule` if the rule concerns the member who makes it, but they don't use it yet
 */
export async function changeTwoStepRule(
  db: Db,
  rule: TwoStepRule,
  by: { id: string; permissions: readonly Permission[] },
  actor: Actor,
): Promise<void> {
  if (isConcerned(rule, by.permissions) && !(await findTwoStep(readingOf(db), by.id)).isOn) {
    const message = "Set up two-step verification for yourself first, under Password and sessions.";
    throw new InvalidError([{ field: "rule", code: "not_allowed", message }]);
  }
  await changeWorkspace(db, { twoStepRule: rule }, actor);
}
