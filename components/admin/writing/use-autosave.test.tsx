// @vitest-environment jsdom
import { act, useEffect } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { LocalCopy } from "@/components/admin/writing/local-copy";
import { useAutosave } from "@/components/admin/writing/use-autosave";
import { type DraftText, emptyDraft } from "@/lib/articles/article-text";
import type { StoredDraft } from "@/lib/articles/shared-draft";

const blank: DraftText = { ...emptyDraft, title: "Refunds", html: "<p>Stored</p>" };
const savedAt = "2026-11-22T12:00:00.000Z";

/** A server of one draft, that takes what names its revision; `answer` stands in its place while it is set. */
const server = {
  now: {} as StoredDraft,
  versions: [] as DraftText[],
  answer: null as ((take: () => Response) => Promise<Response>) | null,
  requests: [] as { method: string; keepalive: boolean; text: DraftText; over?: boolean; writer: string }[],
};

const contentHashOf = (text: DraftText) => JSON.stringify(text);

function store(text: DraftText): StoredDraft {
  server.now = {
    ...{
      revision: server.now.revision + 1,
      contentHash: contentHashOf(text),
      text,
      slug: "refunds",
      hasDraft: true,
      savedAt,
    },
    ...{ savedBy: { id: "ada", name: "Ada Lovelace" }, related: [], attachments: [] },
  };
  return server.now;
}

async function answered(_address: string, { method = "", body, keepalive = false }: RequestInit): Promise<Response> {
  const { revision, text, over, writer } = JSON.parse(body as string) as {
    revision: number;
    text: DraftText;
    over?: boolean;
    writer: string;
  };
  server.requests.push({ method, keepalive, text, writer, ...(over && { over }) });
  const take = () => {
    if (method === "POST") {
      server.versions.push(text);
      return Response.json({});
    }
    if (revision === server.now.revision) return Response.json(store(text));
    if (contentHashOf(server.now.text) === contentHashOf(text)) return Response.json(server.now);
    return Response.json({ now: server.now }, { status: 409 });
  };
  return server.answer ? server.answer(take) : take();
}

let root: Root | undefined;
let desk: ReturnType<typeof useAutosave>;
let articles = 0;
let id: string;

function Probe({ writer, stored }: { writer: string; stored: StoredDraft }) {
  const shown = useAutosave(id, writer, stored);
  useEffect(() => {
    desk = shown;
  });
  return null;
}

beforeAll(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  vi.stubGlobal("fetch", answered);
});

beforeEach(() => {
  vi.useFakeTimers();
  localStorage.clear();
  id = `article ${++articles}`;
  Object.assign(server, { now: { revision: 0 }, versions: [], answer: null, requests: [] });
  store(blank);
});

afterEach(async () => {
  await close();
  vi.useRealTimers();
});

async function open({ writer = "ada", stored = server.now } = {}): Promise<void> {
  root = createRoot(document.createElement("div"));
  await act(async () => root?.render(<Probe writer={writer} stored={stored} />));
}

async function close(): Promise<void> {
  await act(async () => root?.unmount());
  root = undefined;
}

const write = (changes: Partial<DraftText>) => act(async () => desk.change(changes));
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const lost = async () => Promise.reject(new TypeError("Failed to fetch"));

/** Like a crashed tab: nothing in it runs anymore. */
function leftBehind(
  text: Partial<DraftText>,
  { writer = "ada", tab = "1-2", ...rest }: { writer?: string; tab?: string } & Partial<LocalCopy> = {},
): string {
  const copy = { text: { ...blank, ...text }, revision: server.now.revision, at: Date.now(), ...rest };
  const key = `lectern-draft:${writer}:${id}:${tab}`;
  localStorage.setItem(key, JSON.stringify(copy));
  return key;
}

test.each<[what: string, change: Partial<DraftText>]>([
  ["a picture", { html: '<p>Stored<img src="/uploads/1" alt=""></p>' }],
  ["a link", { html: '<p><a href="/articles/x">Stored</a></p>' }],
  ["a heading", { html: "<h2>Stored</h2>" }],
  ["a tag", { tags: ["Money"] }],
  ["an attachment", { attachmentIds: ["1"] }],
])("%s that was not saved is offered back, though the words are the same", async (_, change) => {
  leftBehind(change, { revision: server.now.revision - 1 });
  await open();
  expect(desk.left.map(({ copy }) => copy.text)).toEqual([{ ...blank, ...change }]);
});

test("what arrived as the page was left is not offered, in whatever letters it is written", async () => {
  leftBehind({ html: "<p>Stored</p>\n\n", title: "Refunds " });
  await open();
  expect([desk.left, localStorage.length]).toEqual([[], 0]);
});

test("what one member did not get to save is offered to nobody else", async () => {
  leftBehind({ html: "<p>Of Ada</p>" });
  await open({ writer: "grace" });
  expect(desk.left).toEqual([]);
  await close();
  await open({ writer: "ada" });
  expect(desk.left.map(({ copy }) => copy.text.html)).toEqual(["<p>Of Ada</p>"]);
});

test("texts that the server has are not kept for long, and others are", async () => {
  const old = { at: Date.now() - 61_000 };
  const unsaved = leftBehind({ html: "<p>Unsaved</p>" }, { ...old, tab: "1-1" });
  const other = id;
  id = `article ${++articles}`;
  const saved = leftBehind({ html: "<p>Saved</p>" }, { ...old, tab: "1-1", isSaved: true, writer: "grace" });
  const justSaved = leftBehind({ html: "<p>Saved</p>" }, { tab: "1-2", isSaved: true, writer: "grace" });
  id = other;
  await open();
  expect([saved, justSaved, unsaved].map((key) => localStorage.getItem(key) !== null)).toEqual([false, true, true]);
});

test("a copy that lacks something, or has it in another form, is offered with what is stored in its place", async () => {
  store({ ...blank, tags: ["Money"] });
  const key = leftBehind({ html: "<p>Left</p>" }, { revision: 1 });
  localStorage.setItem(key, JSON.stringify({ text: { html: "<p>Left</p>", keywords: "x" }, revision: 1, sent: 5 }));
  await open();
  expect(desk.isReady).toBe(true);
  expect(desk.left.map(({ copy }) => copy.text)).toEqual([{ ...blank, tags: ["Money"], html: "<p>Left</p>" }]);
});

test("every save says who writes", async () => {
  await open();
  await write({ html: "<p>Mine</p>" });
  await pass(2_000);
  const theirs = store({ ...blank, html: "<p>Theirs</p>" });
  await write({ html: "<p>Mine again</p>" });
  await pass(2_000);
  await act(async () => void (await desk.takeTheirs(theirs)));
  expect(server.requests.map(({ method, writer }) => [method, writer])).toEqual([
    ["PUT", "ada"],
    ["PUT", "ada"],
    ["POST", "ada"],
  ]);
});

test("what is sent as the page is hidden is sent again where it did not arrive", async () => {
  await open();
  server.answer = lost;
  await write({ html: "<p>Going</p>" });
  await act(async () => dispatchEvent(new Event("pagehide")));
  expect(server.requests.map(({ keepalive }) => keepalive)).toEqual([true]);
  expect(desk.state).toMatchObject({ kind: "failed", isRetried: true });
  server.answer = null;
  await pass(5_000);
  expect([server.now.text.html, desk.state.kind]).toEqual(["<p>Going</p>", "saved"]);
});

test("a stored draft without an acknowledgment is not mistaken for another person's while writing continues", async () => {
  await open();
  server.answer = async (take) => {
    take();
    return lost();
  };
  await write({ html: "<p>One</p>" });
  await pass(2_000);
  expect([server.now.text.html, desk.state.kind]).toEqual(["<p>One</p>", "failed"]);
  await write({ html: "<p>One two</p>" });
  server.answer = null;
  await pass(5_000);
  expect([server.now.text.html, desk.state.kind]).toEqual(["<p>One two</p>", "saved"]);
});

test.each([401, 403, 429])("what was stored and never acknowledged stays one's own after a %i", async (status) => {
  await open();
  server.answer = async (take) => {
    take();
    return lost();
  };
  await write({ html: "<p>One</p>" });
  await pass(2_000);
  server.answer = async () => Response.json({ error: "Not now." }, { status });
  await write({ html: "<p>One two</p>" });
  await pass(5_000);
  expect(desk.state).toMatchObject({ kind: "failed", isRetried: true, isSignedOut: status === 401 });
  expect(desk.state).toHaveProperty("why", expect.stringContaining("Not now."));
  server.answer = null;
  await pass(35_000);
  expect([server.now.text.html, desk.state.kind]).toEqual(["<p>One two</p>", "saved"]);
});

test("the same text saved by someone else is no conflict", async () => {
  await open();
  store({ ...blank, html: "<p>Same</p>\n" });
  await write({ html: "<p>Same</p>" });
  await pass(2_000);
  expect(desk.state.kind).toBe("saved");
});

test("nor is it one where tags have another spelling and order", async () => {
  await open();
  store({ ...blank, html: "<p>Same</p>", tags: ["Money", "Élan"], relatedIds: ["y", "x"], attachmentIds: ["b", "a"] });
  const beside = { relatedIds: ["x", "y"], attachmentIds: ["a", "b"] };
  await write({ html: "<p>Same</p>", tags: ["élan", "money"], ...beside });
  await pass(2_000);
  expect(desk.state.kind).toBe("saved");
});

test("a page that is shown again continues from its last save", async () => {
  const first = server.now;
  await open();
  await write({ html: "<p>Saved since</p>" });
  await pass(2_000);
  await close();
  await open({ stored: first });
  expect(desk.text.html).toBe("<p>Saved since</p>");
  await write({ html: "<p>And on</p>" });
  await pass(2_000);
  expect([server.now.text.html, desk.state.kind]).toEqual(["<p>And on</p>", "saved"]);
});

test("after a conflict, attachments and related articles of both stay, whichever text is chosen", async () => {
  for (const choose of ["keepMine", "takeTheirs"] as const) {
    await open();
    const theirs = store({ ...server.now.text, html: "<p>Theirs</p>", attachmentIds: ["b"], relatedIds: ["y"] });
    Object.assign(theirs, { attachments: [{ id: "b", filename: "b.pdf", contentType: "x", byteSize: 1 }] });
    await write({ html: "<p>Mine</p>", attachmentIds: ["a"], relatedIds: ["x"] });
    await pass(2_000);
    expect(desk.state.kind).toBe("conflict");
    expect(desk.met.attachments.map(({ filename }) => filename)).toEqual(["b.pdf"]);
    await act(async () => void (await desk[choose](theirs)));
    await pass(2_000);
    const { html, attachmentIds, relatedIds } = server.now.text;
    expect([html, attachmentIds.toSorted(), relatedIds.toSorted()]).toEqual([
      choose === "keepMine" ? "<p>Mine</p>" : "<p>Theirs</p>",
      ["a", "b"],
      ["x", "y"],
    ]);
    await close();
  }
});

test.each([
  ["ada", true],
  ["grace", false],
])("a conflict with what %s has saved is told to be one with oneself: %s", async (writer, isOwn) => {
  await open({ writer });
  store({ ...blank, html: "<p>Of Ada</p>" });
  await write({ html: "<p>Mine</p>" });
  await pass(2_000);
  expect(desk.state).toMatchObject({ kind: "conflict", isOwn });
});

test("what is typed while theirs is taken is kept among the versions too", async () => {
  await open();
  const theirs = store({ ...blank, html: "<p>Theirs</p>" });
  await write({ html: "<p>Mine</p>" });
  await pass(2_000);
  server.answer = async (take) => {
    server.answer = null;
    desk.change({ html: "<p>Mine, typed on</p>" });
    return take();
  };
  await act(async () => void (await desk.takeTheirs(theirs)));
  expect(server.versions.map(({ html }) => html)).toContain("<p>Mine, typed on</p>");
  expect(desk.text.html).toBe("<p>Theirs</p>");
});

test("what is written and not saved yet is saved before something left behind comes in its place", async () => {
  leftBehind({ html: "<p>Left</p>" });
  await open();
  await write({ html: "<p>Just typed</p>" });
  server.answer = lost;
  await act(async () => void (await desk.bringBack(desk.left[0]!)));
  expect([desk.text.html, desk.left.length]).toEqual(["<p>Just typed</p>", 1]);
  server.answer = null;
  await act(async () => void (await desk.bringBack(desk.left[0]!)));
  await pass(2_000);
  expect(server.requests.map(({ text }) => text.html).slice(-2)).toEqual(["<p>Just typed</p>", "<p>Left</p>"]);
  expect(desk.left).toEqual([]);
});

test("a browser without storage does not claim a copy, and asks before leaving", async () => {
  const refuse = vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("Refused", "QuotaExceededError");
  });
  try {
    await open();
    server.answer = lost;
    await write({ html: "<p>Unsaved</p>" });
    const leaving = new Event("beforeunload", { cancelable: true });
    await act(async () => void dispatchEvent(leaving));
    expect(leaving.defaultPrevented).toBe(true);
    expect(desk.state).toMatchObject({
      why: "Can't reach the server. This browser can't keep a copy, so leave this page open.",
    });
  } finally {
    refuse.mockRestore();
  }
  await write({ html: "<p>Unsaved still</p>" });
  await pass(5_000);
  expect(desk.state).toMatchObject({
    why: expect.stringContaining("Changes are saved on this device.") as string,
  });
});

test("a text that is refused does not hold up a shorter one that was written meanwhile", async () => {
  await open();
  server.answer = async () => {
    server.answer = null;
    desk.change({ html: "<p>Short</p>" });
    return Response.json({ error: "The text is too long." }, { status: 422 });
  };
  await write({ html: "<p>Too long</p>" });
  await pass(8_000);
  expect([server.now.text.html, desk.state.kind]).toEqual(["<p>Short</p>", "saved"]);
});

describe("where the browser says which tabs live", () => {
  /** As a browser gives locks: each to one at a time, in the order in which they were asked for. */
  const held = new Map<string, Promise<unknown>>();
  function request(name: string, ...rest: [...([] | [{ signal?: AbortSignal }]), () => unknown]): Promise<unknown> {
    const work = rest.at(-1) as () => unknown;
    const { signal } = rest.length > 1 ? (rest[0] as { signal?: AbortSignal }) : {};
    const lock = (held.get(name) ?? Promise.resolve()).then(() => {
      signal?.throwIfAborted();
      return work();
    });
    held.set(
      name,
      lock.catch(() => null),
    );
    return lock;
  }

  beforeEach(() => {
    held.clear();
    Object.defineProperty(navigator, "locks", { value: { request }, configurable: true });
  });
  afterEach(() => Reflect.deleteProperty(navigator, "locks"));

  const shown = () => [desk.text.html, desk.state.kind, desk.left.length];

  test("what was written on what is stored is there again without a question, and saved", async () => {
    leftBehind({ html: "<p>Typed last</p>", attachmentIds: ["a"] });
    await open();
    await pass(0);
    expect(shown()).toEqual(["<p>Typed last</p>", "saved", 0]);
    expect([server.now.text, localStorage.length]).toEqual([
      { ...blank, html: "<p>Typed last</p>", attachmentIds: ["a"] },
      0,
    ]);
    await act(async () => void (await desk.takeStored()));
    await pass(2_000);
    expect([...shown(), server.now.text.attachmentIds]).toEqual(["<p>Stored</p>", "saved", 0, ["a"]]);
    // The recovered text is kept as a version.
    expect(server.requests.at(-1)?.over).toBe(true);
  });

  test("who writes on after something came back can no longer put what was there before over it", async () => {
    leftBehind({ html: "<p>Typed last</p>" });
    await open();
    await pass(0);
    expect(desk.replaced).toMatchObject({ isBack: false });
    await write({ html: "<p>Typed last, and on</p>" });
    expect([desk.replaced, await desk.takeStored(), desk.text.html]).toEqual([
      null,
      false,
      "<p>Typed last, and on</p>",
    ]);
  });

  test("a save that arrives after the page was rendered is the writer's own, even while typing continues", async () => {
    const first = server.now;
    leftBehind({ html: "<p>Typed last</p>" });
    server.answer = async (take) => {
      server.answer = null;
      store({ ...blank, html: "<p>Typed last</p>" });
      return take();
    };
    await open({ stored: first });
    await write({ html: "<p>Typed last, and on</p>" });
    await pass(2_000);
    expect(shown()).toEqual(["<p>Typed last, and on</p>", "saved", 0]);
    expect(server.now.text.html).toBe("<p>Typed last, and on</p>");
  });

  test.each([true, false])("so is what was on its way when more was typed (it arrived in time: %s)", async (inTime) => {
    const first = server.now;
    const sent = { ...blank, html: "<p>One</p>" };
    leftBehind({ html: "<p>One two</p>" }, { sent });
    store(sent);
    await open({ stored: inTime ? server.now : first });
    await pass(0);
    expect(shown()).toEqual(["<p>One two</p>", "saved", 0]);
    expect(server.now.text.html).toBe("<p>One two</p>");
  });

  test("a tab that ends while a save is on its way leaves what it had sent, too", async () => {
    const first = server.now;
    await open();
    server.answer = (take) => {
      take();
      return new Promise(() => {});
    };
    await write({ html: "<p>One</p>" });
    await pass(1_600);
    await write({ html: "<p>One two</p>" });
    await close();
    server.answer = null;
    await open({ stored: first });
    await pass(0);
    expect(shown()).toEqual(["<p>One two</p>", "saved", 0]);
    expect(server.now.text.html).toBe("<p>One two</p>");
  });

  /** As the page is loaded again: nothing is left of it but what the browser keeps. */
  async function reload(stored: StoredDraft): Promise<void> {
    await close();
    const kept = Object.entries(localStorage) as [string, string][];
    const former = id;
    id = `article ${++articles}`;
    localStorage.clear();
    for (const [key, value] of kept) localStorage.setItem(key.replace(former, id), value);
    held.clear();
    await open({ stored });
  }
  const beginToLeave = () => act(async () => void dispatchEvent(new Event("beforeunload", { cancelable: true })));

  test("a page that was made before the last save arrived shows what was saved, though its answer came in time", async () => {
    const first = server.now;
    await open();
    await write({ html: "<p>One</p>" });
    await beginToLeave();
    expect(server.now.text.html).toBe("<p>One</p>");
    await reload(first);
    await write({ html: "<p>One two</p>" });
    await pass(2_000);
    expect([...shown(), server.now.text.html]).toEqual(["<p>One two</p>", "saved", 0, "<p>One two</p>"]);
    await reload(server.now);
    expect([...shown(), localStorage.length]).toEqual(["<p>One two</p>", "saved", 0, 0]);
  });

  test.each(["came", "was lost", "never arrived"])(
    "so does one that was made before two saves, whose last answer %s",
    async (last) => {
      const first = server.now;
      await open();
      let answer = () => {};
      server.answer = (take) => new Promise((resolve) => (answer = () => resolve(take())));
      await write({ html: "<p>One</p>" });
      await pass(1_600);
      await write({ html: "<p>One two</p>" });
      await beginToLeave();
      server.answer = async (take) => {
        if (last !== "never arrived") take();
        return last === "came" ? Response.json(server.now) : new Promise(() => {});
      };
      await act(async () => answer());
      expect(server.now.text.html).toBe(last === "never arrived" ? "<p>One</p>" : "<p>One two</p>");
      server.answer = null;
      await reload(first);
      await pass(0);
      expect([...shown(), server.now.text.html]).toEqual(["<p>One two</p>", "saved", 0, "<p>One two</p>"]);
    },
  );

  test("what was saved as a page was left, and has been written over since, is gone without a question", async () => {
    await open();
    await write({ html: "<p>Mine</p>" });
    await beginToLeave();
    await close();
    store({ ...blank, html: "<p>Of someone else</p>" });
    await reload(server.now);
    await pass(2_000);
    expect([...shown(), localStorage.length]).toEqual(["<p>Of someone else</p>", "saved", 0, 0]);
  });

  test("of two stored drafts, only the newest is restored automatically, and the other is offered", async () => {
    leftBehind({ html: "<p>Older</p>" }, { tab: "1-1", at: 1_000 });
    leftBehind({ html: "<p>Newer</p>" }, { tab: "1-2", at: 2_000 });
    await open();
    await pass(0);
    expect(shown()).toEqual(["<p>Newer</p>", "saved", 1]);
    expect(desk.left.map(({ copy }) => copy.text.html)).toEqual(["<p>Older</p>"]);
  });

  test("what was written on something else is offered, and nothing is saved", async () => {
    leftBehind({ html: "<p>Mine</p>" });
    store({ ...blank, html: "<p>Of someone else</p>" });
    await open();
    await pass(5_000);
    expect([...shown(), server.requests]).toEqual(["<p>Of someone else</p>", "saved", 1, []]);
  });

  test.each([
    ["is there when that tab ends", false],
    ["is offered when that tab ends while one types", true],
  ])("what a living tab has not saved yet is its own, and %s", async (_, isTyping) => {
    const key = leftBehind({ html: "<p>Of the other tab</p>" });
    let end = () => {};
    void request(key, () => new Promise<void>((resolve) => (end = resolve)));
    await open();
    expect(desk.isReady).toBe(false);
    await pass(1_500);
    expect([desk.isReady, ...shown()]).toEqual([true, "<p>Stored</p>", "saved", 0]);
    const field = document.body.appendChild(document.createElement("input"));
    if (isTyping) field.focus();
    await act(async () => end());
    await pass(0);
    field.remove();
    expect(shown()).toEqual(isTyping ? ["<p>Stored</p>", "saved", 1] : ["<p>Of the other tab</p>", "saved", 0]);
  });

  test("what is typed before the copy is found stands, and the copy is offered", async () => {
    const key = leftBehind({ html: "<p>Left</p>" });
    let end = () => {};
    void request(key, () => new Promise<void>((resolve) => (end = resolve)));
    await open();
    await write({ title: "Refunds, typed" });
    await act(async () => end());
    expect([desk.isReady, desk.text.title, ...shown()]).toEqual([
      ...[true, "Refunds, typed"],
      ...["<p>Stored</p>", "unsaved", 1],
    ]);
  });

  test("a draft that the server refused is offered, and not restored automatically", async () => {
    await open();
    server.answer = async () => Response.json({ error: "The text is too long." }, { status: 422 });
    await write({ html: "<p>Too long</p>" });
    await pass(2_000);
    await close();
    await open();
    await pass(2_000);
    expect(shown()).toEqual(["<p>Stored</p>", "saved", 1]);
  });

  test("choosing one's own text still keeps the other person's as a version", async () => {
    await open();
    const theirs = store({ ...blank, html: "<p>Theirs</p>" });
    await write({ html: "<p>Mine</p>" });
    await pass(2_000);
    server.answer = () => new Promise(() => {});
    await act(async () => void desk.keepMine(theirs));
    await write({ html: "<p>Mine, typed on</p>" });
    await close();
    server.answer = null;
    server.requests = [];
    await open();
    await pass(0);
    expect(shown()).toEqual(["<p>Mine, typed on</p>", "saved", 0]);
    expect(server.requests[0]).toMatchObject({ over: true, text: { html: "<p>Mine</p>" } });
  });
});
