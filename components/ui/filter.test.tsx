// @vitest-environment jsdom
import { act } from "react";
import { createRoot, hydrateRoot, type Root } from "react-dom/client";
import { renderToString } from "react-dom/server";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Filter, FilterChoice, FilterSearch } from "@/components/ui/filter";

const went = vi.hoisted(() => ({ to: [] as string[] }));
vi.mock("next/navigation", () => ({ useRouter: () => ({ replace: (href: string) => went.to.push(href) }) }));

let root: Root;
let box: HTMLElement;

beforeEach(async () => {
  vi.useFakeTimers();
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  went.to = [];
  history.replaceState(null, "", "/admin/articles?sort=title");
  box = document.body.appendChild(document.createElement("div"));
  root = createRoot(box);
  await draw("", "");
});

afterEach(async () => {
  await act(async () => root.unmount());
  box.remove();
  vi.useRealTimers();
});

const list = (q: string, status: string) => (
  <Filter action="/admin/articles" kept={{ sort: "title", page: "" }} isFiltered={q + status !== ""}>
    <FilterSearch label="Search articles" value={q} />
    <FilterChoice
      label="Status"
      name="status"
      value={status}
      any="Any status"
      options={[{ value: "draft", name: "Draft" }]}
    />
  </Filter>
);
const draw = (q: string, status: string) => act(async () => root.render(list(q, status)));
const field = () => box.querySelector("input[type=search]") as HTMLInputElement;
const select = () => box.querySelector("select") as HTMLSelectElement;

async function type(value: string) {
  field().focus();
  field().value = value;
  await act(async () => field().dispatchEvent(new Event("input", { bubbles: true })));
}

test("typing filters after a pause, a choice immediately, and the URL has no empty values", async () => {
  await type("re");
  vi.advanceTimersByTime(100);
  await type("refund ");
  expect(went.to).toEqual([]);
  await act(async () => vi.advanceTimersByTime(300));
  expect(went.to).toEqual(["/admin/articles?sort=title&q=refund"]);
  select().value = "draft";
  await act(async () => select().dispatchEvent(new Event("change", { bubbles: true })));
  expect(went.to.at(-1)).toBe("/admin/articles?sort=title&q=refund&status=draft");
});

test("an answer does not take away what was typed since, and another URL's values appear", async () => {
  await type("refund");
  await draw("ref", "draft");
  expect([field().value, select().value]).toEqual(["refund", "draft"]);
  field().blur();
  await draw("", "");
  expect([field().value, select().value]).toEqual(["", ""]);
});

test("clearing keeps the sort, and only without scripts there is a button", async () => {
  await draw("refund", "draft");
  expect(box.querySelector("a")?.getAttribute("href")).toBe("/admin/articles?sort=title");
  // Hidden before hydration too.
  expect(box.querySelector("button")?.parentElement?.className).toBe("hidden noscript:contents");
});

test("what was typed before the scripts came is applied with them", async () => {
  await act(async () => root.unmount());
  box.innerHTML = renderToString(list("", ""));
  field().value = "early";
  await act(async () => {
    root = hydrateRoot(box, list("", ""));
  });
  expect([field().value, went.to]).toEqual(["early", ["/admin/articles?sort=title&q=early"]]);
});
