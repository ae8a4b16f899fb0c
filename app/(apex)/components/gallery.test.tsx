import { readdirSync } from "node:fs";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test, vi } from "vitest";
import { Gallery, names, notShown } from "@/app/(apex)/components/_gallery";

vi.mock("next/navigation", () => ({ useRouter: () => ({}) }));

test("every building block is shown, or it is said where it is seen", () => {
  const files = readdirSync("components/ui")
    .filter((file) => file.endsWith(".tsx") && !file.endsWith(".test.tsx"))
    .map((file) => file.replace(".tsx", ""));
  expect([...names, ...Object.keys(notShown)].sort()).toEqual(files.sort());
});

test("each is drawn in both themes", () => {
  const html = renderToStaticMarkup(<Gallery />);
  for (const theme of ["light", "dark"]) {
    for (const name of names) expect(html).toContain(`aria-label="${name}, ${theme}"`);
  }
});
