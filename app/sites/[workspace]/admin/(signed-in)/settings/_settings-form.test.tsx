// @vitest-environment jsdom
import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
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
const draw = (action = refuse) =>
  act(async () =>
    root.render(
      <SettingsForm
        action={action}
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

test("unsaved changes are lost only after a question, and nothing is asked once they are submitted", async () => {
  const answer = vi.fn((_question: string) => false);
  Object.assign(window, { confirm: answer });
  const follow = (href: string, init: MouseEventInit = {}, more: Partial<HTMLAnchorElement> = {}) => {
    const link = Object.assign(document.createElement("a"), { href, innerHTML: "<b>Members</b>", ...more });
    let isFollowed: boolean | null = null;
    link.onclick = (event) => {
      isFollowed = !event.defaultPrevented;
      // jsdom follows no links.
      event.preventDefault();
    };
    box.append(link);
    link.querySelector("b")?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, ...init }));
    return isFollowed;
  };
  const reload = () => dispatchEvent(new Event("beforeunload", { cancelable: true }));
  let finish = (_state: FormState) => {};
  await draw(() => new Promise((resolve) => (finish = resolve)));
  expect([follow("/admin/members"), reload()]).toEqual([true, true]);

  await type("name", "Elsewhere");
  expect([follow("/admin/members"), reload()]).toEqual([false, false]);
  expect(answer.mock.calls).toEqual([["Leave without saving your changes?"]]);
  expect([
    follow("/admin/members", { ctrlKey: true }),
    follow("/admin/members", { button: 1 }),
    follow("/admin/members", {}, { target: "_blank" }),
    follow("/admin/audit/csv", {}, { download: "audit.csv" }),
    follow("https://other.example/"),
    follow("#name"),
  ]).toEqual([true, true, true, true, true, true]);
  expect(answer).toHaveBeenCalledTimes(1);

  await press("Save changes");
  expect([follow("/admin/members"), reload()]).toEqual([true, true]);
  await act(async () => finish({ values: { name: "Elsewhere" }, errors: { name: "Refused." } }));
  expect([follow("/admin/members"), reload()]).toEqual([false, false]);

  // One question is enough, even if the link loads its page.
  answer.mockReturnValue(true);
  expect([follow("/admin/members"), reload()]).toEqual([true, true]);
  await press("Discard");
  expect([follow("/admin/members"), reload()]).toEqual([true, true]);
  expect(answer).toHaveBeenCalledTimes(3);
});
