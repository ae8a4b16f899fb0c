import { expect, test } from "vitest";
import type { PublicWorkspace } from "@/lib/workspaces/public-workspace";
import { readerMetadata } from "./metadata";

const workspace = (visibility: PublicWorkspace["visibility"]): PublicWorkspace => ({
  ...{ id: "", subdomain: "docs", name: "Docs", language: "en", timeZone: "UTC", visibility },
  ...{ accentColor: null, logo: null, feedbackEnabled: true, searchLogEnabled: true },
  ...{ homeHeadline: null, homeText: null, contact: null, headerLinks: [] },
});

const named = (visibility: PublicWorkspace["visibility"]) =>
  JSON.stringify(readerMetadata(workspace(visibility), { path: "/categories/open", title: "Open" }));

test("pages name the feed and the picture of a workspace where they are there", () => {
  for (const file of ["/feed.xml", "/og.png"]) {
    expect([file, named("everyone").includes(file), named("members").includes(file)]).toEqual([file, true, false]);
  }
  expect(named("members")).toContain("/categories/open");
});
