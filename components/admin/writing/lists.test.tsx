// @vitest-environment jsdom
import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { RelatedList } from "@/components/admin/writing/lists";

let root: Root;
let box: HTMLElement;
let ids: string[];
/** The server's answers, by name. */
let titles: string[] | null;

beforeEach(async () => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  // jsdom lays nothing out; browsers answer with a promise.
  Object.assign(Element.prototype, { scrollIntoView: () => Promise.resolve() });
  // jsdom has no top layer.
  Object.assign(HTMLElement.prototype, { showPopover: () => undefined, hidePopover: () => undefined });
  titles = ["One", "Two", "This", "Three"];
  vi.stubGlobal("fetch", async (address: string) => {
    if (!titles) throw new TypeError("No network.");
    const found = titles.map((name) => ({ ...{ id: name, name, group: "Articles", href: `/articles/${name}` } }));
    const isOfAll = new URL(address, "http://here").searchParams.get("of") !== "published";
    const others = isOfAll ? [{ id: "m", name: "Ada", group: "Members", href: "/admin/members/m" }] : [];
    return Response.json({ found: [...found, ...others] });
  });
  ids = ["Three"];
  box = document.body.appendChild(document.createElement("div"));
  root = createRoot(box);
  const draw = () =>
    root.render(
      <RelatedList
        articleId="This"
        known={[{ id: "Three", title: "Three", published: true }]}
        ids={ids}
        onChange={(input) => {
          ids = input;
          draw();
        }}
      />,
    );
  await act(async () => draw());
});

afterEach(async () => {
  await act(async () => root.unmount());
  vi.unstubAllGlobals();
});

const field = () => box.querySelector("input") as HTMLInputElement;
const options = () =>
  [...box.querySelectorAll("[role=option]")].map(({ firstElementChild }) => firstElementChild?.textContent);
const marked = () =>
  document.getElementById(field().getAttribute("aria-activedescendant") ?? "")?.firstElementChild?.textContent;
const chosen = () => [...box.querySelectorAll("li button")].map((button) => button.getAttribute("aria-label"));

async function type(value: string): Promise<void> {
  await act(async () => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(field(), value);
    field().dispatchEvent(new Event("input", { bubbles: true }));
  });
}

/** @returns whether the key was the list's */
async function press(key: string): Promise<boolean> {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
  await act(async () => field().dispatchEvent(event));
  return event.defaultPrevented;
}

/** Waits for what React renders later. */
async function soon(holds: () => void): Promise<void> {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false });
  await vi.waitFor(holds);
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
}

test("a related article is chosen by keys alone, and neither this one nor one that is chosen is offered", async () => {
  expect(await press("Enter")).toBe(false);
  await type("o");
  await soon(() => expect(options()).toEqual(["One", "Two"]));
  expect(marked()).toBe("One");
  await press("ArrowDown");
  expect(marked()).toBe("Two");
  await press("ArrowDown");
  await press("ArrowUp");
  expect(marked()).toBe("Two");
  expect(await press("Enter")).toBe(true);
  expect([ids, field().value, options(), chosen()]).toEqual([
    ...[["Three", "Two"], "", []],
    ["Remove Three", "Remove Two"],
  ]);

  await type("o");
  await soon(() => expect(options()).toEqual(["One"]));
  expect(await press("Escape")).toBe(true);
  expect([field().value, options(), ids]).toEqual(["", [], ["Three", "Two"]]);
  // The page's own, where nothing is typed.
  expect(await press("Escape")).toBe(false);
});

test("a search that does not answer is not taken for one that finds nothing", async () => {
  const says = () => box.querySelector("[role=status]")?.textContent;
  titles = [];
  await type("none");
  await soon(() => expect(says()).toBe("No results"));
  titles = null;
  await type("other");
  await soon(() => expect(says()).toBe("Search is unavailable"));
});

test("the focus goes to the search when the last related article is taken away", async () => {
  const button = box.querySelector<HTMLElement>("li button");
  button?.focus();
  await act(async () => button?.click());
  expect([ids, document.activeElement]).toEqual([[], field()]);
});
