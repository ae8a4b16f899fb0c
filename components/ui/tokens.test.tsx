// @vitest-environment jsdom
import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeAll, expect, test } from "vitest";
import { Tokens } from "@/components/ui/tokens";

let root: Root | undefined;
let values: string[];

beforeAll(() => void Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true }));
afterEach(() => act(async () => root?.unmount()));

async function show(suggestions: string[], before: string[] = []): Promise<HTMLInputElement> {
  const box = document.body.appendChild(document.createElement("div"));
  root = createRoot(box);
  values = before;
  const draw = () =>
    root?.render(
      <Tokens
        label="Tags"
        values={values}
        suggestions={suggestions}
        maxLength={100}
        onChange={(props) => {
          values = props;
          draw();
        }}
      />,
    );
  await act(async () => draw());
  return box.querySelector("input")!;
}

/** Sets the field as a browser does, and says how. */
const put = (field: HTMLInputElement, value: string, event: Event) =>
  act(async () => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(field, value);
    field.dispatchEvent(event);
  });
const typed = (field: HTMLInputElement, value: string) =>
  put(field, value, new InputEvent("input", { inputType: "insertText", bubbles: true }));
const enter = (field: HTMLInputElement) =>
  act(async () => field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true })));

test("what is typed is taken as it is by Enter, also where a suggestion is its beginning", async () => {
  const field = await show(["Cash", "Cashback"]);
  await typed(field, "Cash");
  expect(values).toEqual([]);
  await typed(field, "Cash desk");
  await enter(field);
  expect([values, field.value]).toEqual([["Cash desk"], ""]);
});

test.each([
  new Event("input", { bubbles: true }),
  new InputEvent("input", { inputType: "insertReplacementText", bubbles: true }),
])("an option chosen from the list is added immediately, and whole if it has a comma", async (event) => {
  const field = await show(["Paris, France"]);
  await put(field, "Paris, France", event);
  expect([values, field.value]).toEqual([["Paris, France"], ""]);
});

test("the focus stays in the list when one is taken away, and goes to the field with the last", async () => {
  const field = await show([], ["One", "Two", "Three"]);
  const focused: (string | null)[] = [];
  const remove = async (name: string) => {
    const button = field.parentElement?.querySelector<HTMLElement>(`[aria-label="Remove ${name}"]`);
    button?.focus();
    await act(async () => button?.click());
    focused.push(document.activeElement?.getAttribute("aria-label") ?? null);
  };
  await remove("Two");
  await remove("Three");
  await remove("One");
  expect([values, focused]).toEqual([[], ["Remove Three", "Remove One", null]]);
  expect(document.activeElement).toBe(field);
});
