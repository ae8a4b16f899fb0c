// @vitest-environment jsdom
import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, test } from "vitest";
import { FormField, type FormState } from "@/components/ui/form";
import { textOf } from "@/lib/http/form";
import { SettingsForm } from "./_settings-form";

let root: Root;
let box: HTMLElement;

beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  box = document.body.appendChild(document.createElement("div"));
  root = createRoot(box);
});

afterEach(async () => {
  await act(async () => root.unmount());
  box.remove();
});

const confirmation = { withPassword: true, withCode: false };
const refuse = async (_before: FormState, form: FormData): Promise<FormState> => ({
  values: { name: textOf(form, "name"), rule: textOf(form, "rule") },
  errors: { name: "Refused." },
});
const draw = () =>
  act(async () =>
    root.render(
      <SettingsForm
        action={refuse}
        saved={{ name: "Docs", rule: "nobody" }}
        confirmed={["rule"]}
        confirmation={confirmation}
      >
        <FormField label="Name" name="name" defaultValue="Docs" />
        <FormField label="Rule" name="rule" defaultValue="nobody" />
      </SettingsForm>,
    ),
  );
const field = (name: string) => box.querySelector<HTMLInputElement>(`input[name="${name}"]`);
const button = (text: string) => [...box.querySelectorAll("button")].find(({ textContent }) => textContent === text);

async function type(name: string, value: string) {
  const input = field(name);
  if (input) input.value = value;
  await act(async () => input?.dispatchEvent(new Event("input", { bubbles: true })));
}

async function press(text: string) {
  button(text)?.focus();
  await act(async () => button(text)?.click());
}

test("a refused field gets the focus and keeps its text, and only sensitive fields ask for the password", async () => {
  await draw();
  await type("name", "Elsewhere");
  expect(field("currentPassword")).toBeNull();
  await type("rule", "everyone");
  expect(field("currentPassword")).not.toBeNull();
  await type("rule", "nobody");
  expect(field("currentPassword")).toBeNull();
  await press("Save changes");
  expect(field("name")?.value).toBe("Elsewhere");
  expect(document.activeElement).toBe(field("name"));
});

test("discarding restores what is saved, and the keyboard stays in the form", async () => {
  await draw();
  await type("name", "Elsewhere");
  await press("Discard");
  expect(field("name")?.value).toBe("Docs");
  expect(document.activeElement).not.toBe(document.body);
  expect(document.activeElement?.contains(field("name"))).toBe(true);
});
