import { expect, test } from "vitest";
import { setAccentColor } from "@/lib/appearance";
import { inWorkspace, readWorkspace } from "@/lib/db";
import { InvalidError } from "@/lib/errors";
import { findPublicWorkspace } from "@/lib/site";
import { aWorkspace } from "@/lib/testing";
import { contentVersionOf } from "@/lib/workspaces";

test("a colour is what readers see from then on, and who chose it is remembered", async () => {
  const of = await aWorkspace();
  const set = (colour: string | null) => inWorkspace(of.id, (db) => setAccentColor(db, colour, of.actor));
  const versions = [(await contentVersionOf(of.subdomain))?.version];
  expect(await set("FFD400")).toBeNull();
  versions.push((await contentVersionOf(of.subdomain))?.version);
  expect((await findPublicWorkspace(of.subdomain))?.accentColor).toBe("#ffd400");
  expect(await set("#ffd400")).toBe("#ffd400");
  expect(await set(null)).toBe("#ffd400");
  expect((await findPublicWorkspace(of.subdomain))?.accentColor).toBeNull();
  versions.push((await contentVersionOf(of.subdomain))?.version);
  // Pages that were kept are of another version.
  expect(new Set(versions).size).toBe(3);

  const entries = await readWorkspace(of.id, (read) =>
    read("SELECT subject_kind AS kind, details FROM audit_entries WHERE action = 'workspace.updated'"),
  );
  expect(entries).toHaveLength(2);
  for (const accentColor of ["none → #ffd400", "#ffd400 → none"]) {
    expect(entries).toContainEqual({ kind: "workspace", details: { accentColor } });
  }
});

test("what is no colour is refused with what is one", async () => {
  const of = await aWorkspace();
  for (const text of ["", "teal", "#12", "#155e63;}body{}"]) {
    const tried = inWorkspace(of.id, (db) => setAccentColor(db, text, of.actor));
    await expect(tried).rejects.toThrow(InvalidError);
    await expect(tried).rejects.toThrow("such as #155e63");
  }
  expect((await findPublicWorkspace(of.subdomain))?.accentColor).toBeNull();
});
