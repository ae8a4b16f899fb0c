import { expect, test } from "vitest";
import { returnPath, signInPath } from "@/lib/http/return-path";

test("an address on this host is gone back to, with its query", () => {
  for (const path of ["/", "/admin/keys?page=2", "/articles/a%2Fb#part", "/search?q=//x", "/a/../b", "/日本"]) {
    const { pathname, search, hash } = new URL(path, "http://here");
    expect(returnPath(path)).toBe(pathname + search + hash);
  }
});

test.each([
  ...[
    "//evil.example",
    "///evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "/\t/evil.example",
    "/\n/evil.example",
  ],
  ...["/.//evil.example", "/x/..//evil.example", "/%2e//evil.example", "https://evil.example", "javascript:alert(1)"],
  ...["evil.example", "", " /admin", "/admin\u0000", "/admin\u0085x", `/${"a".repeat(2_000)}`, "/\ud800"],
])("nobody is led to %j", (text) => {
  expect(returnPath(text)).toBeNull();
});

test("neither the sign-in itself nor the API is gone back to, and what is no text is nothing", () => {
  for (const text of [
    "/admin/sign-in",
    "/admin/sign-in/link?token=x",
    "/admin/../api/auth/signout",
    undefined,
    ["/a", "/b"],
  ]) {
    expect(returnPath(text)).toBeNull();
  }
});

test("the sign-in is told where to lead, unless that is where it leads anyway", () => {
  expect(signInPath("/admin/keys?page=2")).toBe("/admin/sign-in?to=%2Fadmin%2Fkeys%3Fpage%3D2");
  expect(signInPath("/articles/x", "/link")).toBe("/admin/sign-in/link?to=%2Farticles%2Fx");
  expect([signInPath("/admin"), signInPath(null, "/password")]).toEqual(["/admin/sign-in", "/admin/sign-in/password"]);
});
