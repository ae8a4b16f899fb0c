import { expect, test, vi } from "vitest";
import { decrypt, encrypt } from "@/lib/secrets";

vi.stubEnv("AUTH_SECRET", "Kq2vXw7mZr4tBn9sLd6hFj3pGc8yTa5e");

test("an encrypted text is read again for its own purpose, and two of the same text differ", () => {
  const stored = encrypt("Grüße", "two_step", "a");
  expect(decrypt(stored, "two_step", "a")).toBe("Grüße");
  expect(Buffer.from(stored).includes("Gr")).toBe(false);
  expect(encrypt("Grüße", "two_step", "a")).not.toEqual(stored);
  expect(decrypt(encrypt("", "x"), "x")).toBe("");
});

test("a text that was changed, cut or moved to another owner is refused", () => {
  const stored = encrypt("secret", "two_step", "a");
  for (const purpose of [["two_step", "b"], ["webhook", "a"], ["two_step"]])
    expect(() => decrypt(stored, ...purpose)).toThrow();
  for (let at = 0; at < stored.length; at++) {
    const changed = stored.with(at, (stored[at] ?? 0) ^ 1);
    expect(() => decrypt(changed, "two_step", "a")).toThrow();
  }
  for (const length of [0, 12, 20, stored.length - 1])
    expect(() => decrypt(stored.slice(0, length), "two_step", "a")).toThrow();
});
