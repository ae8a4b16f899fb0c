import { describe, expect, test } from "vitest";
import { isSubdomain, siteOfHost, workspaceUrl } from "./host";

describe("a Host header", () => {
  const base = "https://example.com";

  test("names a workspace by its first label, whatever case and port", () => {
    const docs = { kind: "subdomain", subdomain: "docs" };
    expect(siteOfHost("docs.example.com", base)).toEqual(docs);
    expect(siteOfHost("DOCS.Example.com:8443", base)).toEqual(docs);
    expect(siteOfHost("docs.example.com.", base)).toEqual(docs);
    expect(siteOfHost("docs.localhost:3000", "http://localhost:3000")).toEqual(docs);
  });

  test("is the bare domain without a label", () => {
    expect(siteOfHost("example.com", base)).toEqual({ kind: "apex" });
    expect(siteOfHost("example.com:3000", base)).toEqual({ kind: "apex" });
  });

  test("names nothing when it is another site's, nested, reserved, malformed or missing", () => {
    for (const host of [
      "example.org",
      "docs.example.com.evil.org",
      "docsexample.com",
      "a.b.example.com",
      "www.example.com",
      "-docs.example.com",
      "dócs.example.com",
      "xn--dcs-5na.example.com",
      ".example.com",
      "127.0.0.1",
      "",
      null,
    ]) {
      expect([host, siteOfHost(host, base)]).toEqual([host, { kind: "unknown" }]);
    }
  });
});

test("a subdomain is one label of lowercase letters, digits and inner hyphens", () => {
  const good = ["a", "docs", "docs-2", "a".repeat(63)];
  expect(good.filter(isSubdomain)).toEqual(good);
  expect(["", "-a", "a-", "A", "a_b", "a.b", "a".repeat(64), "admin", "www"].filter(isSubdomain)).toEqual([]);
});

test("a workspace's address keeps scheme and port of the base address", () => {
  expect(workspaceUrl("docs", "http://localhost:3000")).toBe("http://docs.localhost:3000");
  expect(workspaceUrl("docs", "https://example.com")).toBe("https://docs.example.com");
});
