import { expect, test } from "vitest";
import { inWorkspace } from "@/lib/db";
import { contactLink } from "@/lib/settings/site-fields";
import { changeSite } from "@/lib/settings/site-settings";
import { findPublicWorkspace } from "@/lib/site";
import { aWorkspace } from "@/testing/workspace";

const nothing = { headline: "", text: "", contact: "", links: [] };

test("links, contact and home page texts are cleaned, stored and read back, and empty ones removed", async () => {
  const workspace = await aWorkspace();
  const change = (input: Parameters<typeof changeSite>[1]) =>
    inWorkspace(workspace.id, (db) => changeSite(db, input, workspace.actor));
  await change({
    headline: " How can we help? ",
    text: "Guides for every machine.",
    contact: "help@example.com",
    links: [
      { label: "", url: "" },
      { label: "Status", url: "https://status.example.com" },
      { label: "Search", url: "/search" },
    ],
  });
  expect(await findPublicWorkspace(workspace.subdomain)).toMatchObject({
    homeHeadline: "How can we help?",
    homeText: "Guides for every machine.",
    contact: "help@example.com",
    headerLinks: [
      { label: "Status", url: "https://status.example.com" },
      { label: "Search", url: "/search" },
    ],
  });
  const entries = () =>
    inWorkspace(workspace.id, (db) => db.auditEntry.count({ where: { action: "workspace.updated" } }));
  const before = await entries();
  await change(nothing);
  expect(await entries()).toBe(before + 1);
  await change(nothing);
  expect(await entries()).toBe(before + 1);
  expect(await findPublicWorkspace(workspace.subdomain)).toMatchObject({
    homeHeadline: null,
    homeText: null,
    contact: null,
    headerLinks: [],
  });
});

test("what is no email, no safe URL, or half a link is refused beside its field", async () => {
  const workspace = await aWorkspace();
  const refused = (input: Partial<Parameters<typeof changeSite>[1]>) =>
    inWorkspace(workspace.id, (db) => changeSite(db, { ...nothing, ...input }, workspace.actor)).then(
      () => [],
      (error: { fields: { field: string }[] }) => error.fields.map(({ field }) => field),
    );
  expect(await refused({ contact: "javascript:alert(1)" })).toEqual(["contact"]);
  expect(await refused({ contact: "nobody" })).toEqual(["contact"]);
  expect(await refused({ headline: "x".repeat(101) })).toEqual(["headline"]);
  for (const url of ["javascript:alert(1)", "//evil.example", "/\\evil.example", "status"]) {
    expect([url, await refused({ links: [{ label: "Status", url }] })]).toEqual([url, ["url1"]]);
  }
  expect(await refused({ links: [{ label: "Status", url: "" }] })).toEqual(["url1"]);
  expect(await refused({ links: [{ label: "", url: "/search" }] })).toEqual(["label1"]);
  expect([null, "help@example.com", "https://example.com/help/"].map(contactLink)).toEqual([
    null,
    { href: "mailto:help@example.com", text: "help@example.com" },
    { href: "https://example.com/help/", text: "example.com/help" },
  ]);
});
