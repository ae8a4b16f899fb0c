// @vitest-environment jsdom
import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Conflict } from "@/components/admin/writing/choices";
import { wordsOf } from "@/components/admin/writing/words";
import { type DraftText, emptyDraft } from "@/lib/articles/article-text";
import type { StoredDraft } from "@/lib/articles/shared-draft";

vi.mock("@/components/admin/writing/words", { spy: true });

const textOf = (html: string): DraftText => ({
  ...emptyDraft,
  title: "Refunds",
  html,
});
const theirs: StoredDraft = {
  ...{ revision: 2, contentHash: "", slug: "refunds", hasDraft: true, savedAt: "2026-11-22T10:00:00Z" },
  ...{ savedBy: { id: "a", name: "Ada" }, text: textOf("<p>All of it</p>"), related: [], attachments: [] },
};

let root: Root;
let box: HTMLElement;

beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  box = document.body.appendChild(document.createElement("div"));
  root = createRoot(box);
});

afterEach(() => act(async () => root.unmount()));

const show = (mine: DraftText) =>
  act(async () =>
    root.render(
      <Conflict
        mine={mine}
        theirs={theirs}
        isOwn={false}
        timeZone="UTC"
        keepMine={async () => {}}
        takeTheirs={async () => null}
      />,
    ),
  );

test("who writes on while a conflict is open does not wait for what is not changed", async () => {
  await show(textOf("<p>Some</p>"));
  vi.mocked(wordsOf).mockClear();
  await show(textOf("<p>All</p>"));
  expect(box.textContent).not.toContain("Only formatting or metadata differs.");
  await show(textOf("<p>All <b>of</b> it</p>"));
  expect(box.textContent).toContain("Only formatting or metadata differs.");
  await show({ ...textOf("<p>All <b>of</b> it</p>"), keywords: ["money"] });
  expect(vi.mocked(wordsOf).mock.calls).toEqual([["<p>All</p>"], ["<p>All <b>of</b> it</p>"]]);
});
