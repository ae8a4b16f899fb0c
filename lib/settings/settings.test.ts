import { expect, test } from "vitest";
import { acrossWorkspaces, inWorkspace } from "@/lib/db";
import { type GeneralSettings, updateSettings } from "@/lib/settings/settings";
import { aWorkspace, type TestWorkspace } from "@/testing/workspace";

const update = (workspace: TestWorkspace, changes: GeneralSettings) =>
  inWorkspace(workspace.id, (db) => updateSettings(db, changes, workspace.actor));
const stored = async ({ id }: TestWorkspace) =>
  (
    await acrossWorkspaces.query(`SELECT name, language, time_zone AS "timeZone" FROM workspaces WHERE id = $1`, [id])
  )[0];
const log = ({ id }: TestWorkspace) =>
  acrossWorkspaces.query<{ who: string; name: string; details: Record<string, string> }>(
    `SELECT actor_name AS who, subject_name AS name, details FROM audit_entries
     WHERE workspace_id = $1 AND action = 'workspace.updated'`,
    [id],
  );

test("name, language and time zone are changed, and the log says from what to what", async () => {
  const workspace = await aWorkspace({ name: "Before" });
  await update(workspace, { name: "  Harbour Coffee ", language: "pt-BR", timeZone: "Europe/Lisbon" });
  expect(await stored(workspace)).toEqual({ name: "Harbour Coffee", language: "pt-BR", timeZone: "Europe/Lisbon" });
  const details = { name: "Before → Harbour Coffee", language: "en → pt-BR", timeZone: "UTC → Europe/Lisbon" };
  expect(await log(workspace)).toEqual([{ who: workspace.admin.email, name: "Harbour Coffee", details }]);
});

test("what is not given or not different changes nothing, and is in no log", async () => {
  const workspace = await aWorkspace({ name: "Same" });
  await update(workspace, { name: "Same", language: "en" });
  await update(workspace, {});
  expect([await stored(workspace), await log(workspace)]).toEqual([
    { name: "Same", language: "en", timeZone: "UTC" },
    [],
  ]);
});

test("every value that is of no use is named, and nothing is changed", async () => {
  const workspace = await aWorkspace({ name: "Before" });
  const refused = await update(workspace, { name: " ", language: "xx", timeZone: "+02:00" }).catch(
    (error: unknown) => error,
  );
  expect(refused).toMatchObject({
    fields: [
      { field: "name", code: "required" },
      { field: "language", code: "invalid" },
      { field: "timeZone", code: "invalid" },
    ],
  });
  for (const name of ["x".repeat(101), "two\nlines"]) await expect(update(workspace, { name })).rejects.toThrow();
  for (const language of ["", "de_DE", "EN", "qqq", "not a language"]) {
    await expect(update(workspace, { language })).rejects.toThrow(/^The language must be a known language tag/);
  }
  expect(await stored(workspace)).toEqual({ name: "Before", language: "en", timeZone: "UTC" });
});

test("of two changes at the same time, the second records what the first wrote", async () => {
  const workspace = await aWorkspace({ name: "Before" });
  let second: Promise<void> | undefined;
  await inWorkspace(workspace.id, async (db) => {
    await updateSettings(db, { name: "One" }, workspace.actor);
    const [first] = await db.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
    second = update(workspace, { name: "Two" });
    const blocked = "SELECT FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))";
    await expect.poll(() => acrossWorkspaces.query(blocked, [first?.pid])).toHaveLength(1);
  });
  await second;
  const names = (await log(workspace)).map(({ details }) => details.name).sort();
  expect(names).toEqual(["Before → One", "One → Two"]);
});
