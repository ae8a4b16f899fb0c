// @vitest-environment jsdom
import { act } from "react";
import { createRoot } from "react-dom/client";
import { expect, test } from "vitest";
import { FormFrame, FormSeen } from "@/components/ui/form";

test("a form sends what was seen first, although the page is refreshed, until a refusal replaces it", async () => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  const box = document.body.appendChild(document.createElement("div"));
  const root = createRoot(box);
  const sent = async (value: string, values: Record<string, string> = {}) => {
    await act(async () =>
      root.render(
        <FormFrame state={{ values, errors: {} }} action={() => {}} pending={false} submit="Save" busy="Saving…">
          <FormSeen name="revision" value={value} />
        </FormFrame>,
      ),
    );
    return new FormData(box.querySelector("form") as HTMLFormElement).get("revision");
  };
  expect(await sent("1")).toBe("1");
  expect(await sent("2")).toBe("1");
  expect(await sent("3", { revision: "2" })).toBe("2");
  await act(async () => root.unmount());
});
