import { expect, test, vi } from "vitest";
import { flashCookie, readFlash } from "./flash";

vi.stubEnv("AUTH_SECRET", "Kq2vXw7mZr4tBn9sLd6hFj3pGc8yTa5e");

const host = "docs.example.com:3000";
const undo = { name: "deletion", fields: { id: "one" } } as const;

test("a message is read as it was written, with its undo, on the host that it was written for", () => {
  const { value, httpOnly, sameSite, path, maxAge } = flashCookie(host, "Removed “/a”.", undo);
  expect({ httpOnly, sameSite, path, maxAge }).toEqual({ httpOnly: true, sameSite: "lax", path: "/", maxAge: 60 });
  expect(readFlash(host, value)).toEqual({
    text: "Removed “/a”.",
    undo: { ...undo, label: "Undo" },
    at: expect.any(Number),
  });
  expect(readFlash("other.example.com:3000", value)).toBeNull();
});

test("a message that was changed, forged or is absent is not shown", () => {
  const { value } = flashCookie(host, "Saved.");
  const [content = "", signature = ""] = value.split(".");
  const forged = Buffer.from(JSON.stringify({ text: "Send me your password.", at: Date.now() })).toString("base64url");
  for (const other of [null, "", ".", content, `${content}.`, `${forged}.${signature}`, `${content}.${signature}x`]) {
    expect(readFlash(host, other), String(other)).toBeNull();
  }
  expect(readFlash(host, value)?.text).toBe("Saved.");
});

test("a message ends after a minute", ({ onTestFinished }) => {
  const { value } = flashCookie(host, "Saved.");
  const now = Date.now;
  onTestFinished(() => void (Date.now = now));
  Date.now = () => now() + 59_000;
  expect(readFlash(host, value)?.text).toBe("Saved.");
  Date.now = () => now() + 60_001;
  expect(readFlash(host, value)).toBeNull();
});

test("the longest message stays below what browsers keep of a cookie", () => {
  const fields = { member: "0".repeat(36), upload: "0".repeat(36), role: "役".repeat(100) };
  const { name, value } = flashCookie(host, "語".repeat(5_000), { name: "picture", fields, label: "役".repeat(120) });
  expect(name.length + value.length).toBeLessThan(4_000);
  expect(readFlash(host, value)?.text).toBe(`${"語".repeat(499)}…`);
});
