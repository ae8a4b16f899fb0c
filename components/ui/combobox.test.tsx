// @vitest-environment jsdom
import { act } from "react";
import { createRoot, hydrateRoot, type Root } from "react-dom/client";
import { renderToStaticMarkup, renderToString } from "react-dom/server";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Combobox } from "@/components/ui/combobox";

const options = [
  { value: "b", name: "Billing" },
  { value: "bo", name: "Overview", note: "Billing" },
  { value: "o", name: "Orders" },
];

let root: Root;
let form: HTMLFormElement;
/** What the form had, each time it heard of a change. */
let heard: (FormDataEntryValue | null)[];

beforeEach(async () => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  // jsdom has no layout and no top layer.
  Object.assign(HTMLElement.prototype, {
    ...{ scrollIntoView: () => undefined, showPopover: () => undefined, hidePopover: () => undefined },
  });
  form = document.body.appendChild(document.createElement("form"));
  heard = [];
  form.addEventListener("change", () => heard.push(new FormData(form).get("category")));
  root = createRoot(form);
  await draw("bo");
});

afterEach(async () => {
  await act(async () => root.unmount());
  form.remove();
});

const draw = (value: string) =>
  act(async () =>
    root.render(
      <Combobox aria-label="Category" name="category" none="Any category" defaultValue={value} options={options} />,
    ),
  );
const field = () => form.querySelector("input[role=combobox]") as HTMLInputElement;
const offered = () => [...form.querySelectorAll("[role=option]")].map(({ textContent }) => textContent);
const marked = () => document.getElementById(field().getAttribute("aria-activedescendant") ?? "")?.textContent;

async function type(value: string): Promise<void> {
  await act(async () => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(field(), value);
    field().dispatchEvent(new Event("input", { bubbles: true }));
  });
}

async function press(key: string): Promise<boolean> {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
  await act(async () => field().dispatchEvent(event));
  return event.defaultPrevented;
}

test("the arrow opens every option at the chosen one, and Escape leaves it chosen", async () => {
  expect([field().value, field().title, offered()]).toEqual(["Overview", "Billing / Overview", []]);
  await press("ArrowDown");
  expect([offered(), marked()]).toEqual([["Billing", "OverviewBilling", "Orders"], "OverviewBilling"]);
  await press("ArrowDown");
  await press("ArrowDown");
  expect(marked()).toBe("Billing");
  expect(await press("Escape")).toBe(true);
  expect([field().value, offered(), heard]).toEqual(["Overview", [], []]);
  // Closed, the keys are the form's and the page's.
  expect([await press("Enter"), await press("Escape")]).toEqual([false, false]);
});

test("any word finds an option, Enter takes it, and the form hears of it as of a select", async () => {
  await type("ord");
  expect(offered()).toEqual(["Orders"]);
  expect(await press("Enter")).toBe(true);
  expect([field().value, heard]).toEqual(["Orders", ["o"]]);
  await type("no such");
  expect([offered(), form.querySelector("[role=status]")?.textContent]).toEqual([[], "No results"]);
  await act(async () => field().dispatchEvent(new FocusEvent("focusout", { bubbles: true })));
  expect([field().value, heard]).toEqual(["Orders", ["o"]]);
});

test("text without an option is a value where the combobox takes text, also before the field is left", async () => {
  const find = async (text: string) => (text === "ref" ? [{ value: "/articles/refunds", name: "Refunds" }] : []);
  await act(async () => root.render(<Combobox aria-label="To" name="category" none="" takesText find={find} />));
  const sent = () => new FormData(form).get("category");
  await type("/old");
  expect([sent(), offered()]).toEqual(["/old", []]);
  // Nothing is marked, so Enter submits the form.
  expect(await press("Enter")).toBe(false);
  await press("Escape");
  expect([field().value, sent()]).toEqual(["/old", "/old"]);
  await type("ref");
  // The search starts after a pause in typing.
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false });
  await expect.poll(offered).toEqual(["Refunds"]);
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  expect(await press("Enter")).toBe(true);
  expect(sent()).toBe("/articles/refunds");
});

test("a combobox that takes text says when the search fails, and keeps the text", async () => {
  const find = () => Promise.reject(new Error("offline"));
  await act(async () => root.render(<Combobox aria-label="To" name="category" none="" takesText find={find} />));
  await type("refunds");
  const said = () => form.querySelector("[role=status]")?.textContent;
  expect(said()).toBe("");
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false });
  await expect.poll(said).toBe("Search is unavailable");
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  expect(new FormData(form).get("category")).toBe("refunds");
});

test("a text that was typed before scripts ran is kept, in the same field", async () => {
  const combobox = (
    <Combobox aria-label="To" name="category" none="" defaultValue="/" takesText find={async () => []} />
  );
  await act(async () => root.unmount());
  form.innerHTML = renderToString(combobox);
  const input = form.querySelector("input") as HTMLInputElement;
  const sent = () => new FormData(form).getAll("category");
  expect(form.querySelector("button")).toBeNull();
  input.value = "/help";
  expect(sent()).toEqual(["/help"]);
  await act(async () => {
    root = hydrateRoot(form, combobox);
  });
  expect(field()).toBe(input);
  expect([field().value, sent()]).toEqual(["/help", ["/help"]]);
  await type("/help/leave");
  expect([field().value, sent()]).toEqual(["/help/leave", ["/help/leave"]]);
});

test("an emptied field and its button clear the choice", async () => {
  await type("");
  await press("Enter");
  expect([field().value, heard]).toEqual(["", [""]]);
  await draw("b");
  expect(field().value).toBe("Billing");
  await act(async () => form.querySelector<HTMLElement>("button[aria-label='Clear Category']")?.click());
  expect([field().value, heard]).toEqual(["", ["", ""]]);
});

test("without scripts it is a select, which says where each option is", () => {
  const html = renderToStaticMarkup(<Combobox name="category" defaultValue="bo" options={options} />);
  const drawn = new DOMParser().parseFromString(html, "text/html");
  expect([...drawn.querySelectorAll("option")].map((option) => [option.textContent, option.selected])).toEqual([
    ["Billing", false],
    ["Billing / Overview", true],
    ["Orders", false],
  ]);
});
