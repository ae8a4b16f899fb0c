import { expect, test } from "vitest";
import { inWorkspace, readWorkspace } from "@/lib/db";
import { InvalidError } from "@/lib/errors";
import { setAccentColor } from "@/lib/settings/appearance";
import { findPublicWorkspace } from "@/lib/site";
import { contentVersionOf } from "@/lib/workspaces/workspaces";
import { aWorkspace } from "@/testing/workspace";

test("a color applies to readers from then on, and the audit log has who chose it", async () => {
  const workspace = await aWorkspace();
  const set = (color: string | null) => inWorkspace(workspace.id, (db) => setAccentColor(db, color, workspace.actor));
  const versions = [(await contentVersionOf(workspace.subdomain))?.version];
  expect(await set("FFD400")).toBeNull();
  versions.push((await contentVersionOf(workspace.subdomain))?.version);
  expect((await findPublicWorkspace(workspace.subdomain))?.accentColor).toBe("#ffd400");
  expect(await set("#ffd400")).toBe("#ffd400");
  expect(await set(null)).toBe("#ffd400");
  expect((await findPublicWorkspace(workspace.subdomain))?.accentColor).toBeNull();
  versions.push((await contentVersionOf(workspace.subdomain))?.version);
  // Pages that were kept are of another version.
  expect(new Set(versions).size).toBe(3);

  const entries = await readWorkspace(workspace.id, (read) =>
    read("SELECT subject_kind AS kind, details FROM audit_entries WHERE action = 'workspace.updated'"),
  );
  expect(entries).toHaveLength(2);
  for (const accentColor of ["none → #ffd400", "#ffd400 → none"]) {
    expect(entries).toContainEqual({ kind: "workspace", details: { accentColor } });
  }
});

test("an invalid color is refused with an example", async () => {
  const workspace = await aWorkspace();
  for (const text of ["", "teal", "#12", "#155e63;}body{}"]) {
    const tried = inWorkspace(workspace.id, (db) => setAccentColor(db, text, workspace.actor));
    await expect(tried).rejects.toThrow(InvalidError);
    await expect(tried).rejects.toThrow("such as #155e63");
  }
  expect((await findPublicWorkspace(workspace.subdomain))?.accentColor).toBeNull();
});
