import { expect, test } from "vitest";
import { hashOfKey, isKeyText, newKeyText } from "./key-format";

test("a key is kb_, 32 random characters and a checksum, and no two are equal", () => {
  const keys = Array.from({ length: 1000 }, newKeyText);
  for (const key of keys) expect(key).toMatch(/^kb_[0-9A-Za-z]{38}$/);
  expect(keys.every(isKeyText)).toBe(true);
  expect(new Set(keys).size).toBe(1000);
});

test("a key with any character changed is refused", () => {
  const key = newKeyText();
  const changed = Array.from(
    key,
    (character, place) => key.slice(0, place) + (character === "x" ? "y" : "x") + key.slice(place + 1),
  );
  expect(changed.filter(isKeyText)).toEqual([]);
  expect(["", "kb_", key.slice(1), `${key}0`, ` ${key}`].filter(isKeyText)).toEqual([]);
  expect(isKeyText(key)).toBe(true);
});

test("what is kept of a key is its SHA-256", () => {
  expect(hashOfKey("kb_x").toString("hex")).toBe("f12c791e0a6b6d08e3b131aed3b9d3c3eb8f0f381a51cbac4eb96241073e0b09");
});
