import { expect, test } from "vitest";
import { drawnAvatar } from "./avatars";

test("a generated picture shows the initials, always in the same color", () => {
  const ada = drawnAvatar({ firstName: "ada", lastName: "Lovelace" }, "one");
  expect(ada).toContain(">AL</text>");
  expect(drawnAvatar({ firstName: "ada", lastName: "Lovelace" }, "one")).toBe(ada);
  expect(drawnAvatar({ firstName: "ada", lastName: "Lovelace" }, "two")).not.toBe(ada);
});

test("a name cannot bring markup into the picture", () => {
  const picture = drawnAvatar({ firstName: "<script>", lastName: "&" }, "one");
  expect(picture).toContain(">&#60;&#38;</text>");
  expect(picture).not.toContain("<script");
});

test("a name in any script has whole characters as initials", () => {
  expect(drawnAvatar({ firstName: "𝒜da", lastName: "李" }, "one")).toContain(">𝒜李</text>");
});
