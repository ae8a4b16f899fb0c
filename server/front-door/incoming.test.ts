import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { isApi, isForeignChange, isMalformed, settleForwarded, settleTarget } from "./incoming";

const baseUrl = "https://example.com";

function request(headers: Record<string, string>, method = "POST", url = "/admin/sign-in"): IncomingMessage {
  return { method, url, headers, socket: { remoteAddress: "10.0.0.1" } } as unknown as IncomingMessage;
}

test("an address of IPv4 at a socket of IPv6 is one of IPv4", () => {
  const incoming = { ...request({}), socket: { remoteAddress: "::ffff:192.0.2.7" } } as unknown as IncomingMessage;
  settleForwarded(incoming, { baseUrl, trustProxy: false });
  expect(incoming.headers["x-forwarded-for"]).toBe("192.0.2.7");
});

test.each([
  ["192.0.2.7:5678", "192.0.2.7"],
  ["[2001:db8::1]:443", "2001:db8::1"],
  ["unknown", "10.0.0.1"],
])("a proxy's %s is %s", (header, known) => {
  const incoming = request({ "x-forwarded-for": header });
  settleForwarded(incoming, { baseUrl, trustProxy: true });
  expect(incoming.headers["x-forwarded-for"]).toBe(known);
});

test("without a trusted proxy, what a client says of itself is dropped", () => {
  const incoming = request({
    host: "demo.example.com",
    "x-forwarded-host": "other.example.com",
    "x-forwarded-for": "1.2.3.4",
    "x-forwarded-proto": "http",
    "x-forwarded-prefix": "/x",
    forwarded: "host=other.example.com",
    accept: "text/html",
  });
  settleForwarded(incoming, { baseUrl, trustProxy: false });
  expect(incoming.headers).toEqual({
    host: "demo.example.com",
    "x-forwarded-host": "demo.example.com",
    "x-forwarded-for": "10.0.0.1",
    "x-forwarded-proto": "https",
    accept: "text/html",
  });
});

test("of a trusted proxy's lists, the entry that it wrote itself counts", () => {
  const incoming = request({
    host: "backend:3000",
    "x-forwarded-host": "evil.example.com, demo.example.com",
    "x-forwarded-for": "6.6.6.6, 1.2.3.4",
  });
  settleForwarded(incoming, { baseUrl, trustProxy: true });
  expect(incoming.headers).toEqual({
    host: "demo.example.com",
    "x-forwarded-host": "demo.example.com",
    "x-forwarded-for": "1.2.3.4",
    "x-forwarded-proto": "https",
  });
});

test("a trusted proxy that passes only Host on is understood", () => {
  const incoming = request({ host: "demo.example.com" });
  settleForwarded(incoming, { baseUrl, trustProxy: true });
  expect(incoming.headers.host).toBe("demo.example.com");
  expect(incoming.headers["x-forwarded-for"]).toBe("10.0.0.1");
});

test.each([
  ["its own page", { host: "demo.example.com", origin: "https://demo.example.com" }, false],
  ["its own page, with an explicit port", { host: "demo.example.com:443", origin: "https://demo.example.com" }, false],
  ["another workspace's page", { host: "demo.example.com", origin: "https://demo2.example.com" }, true],
  ["the bare domain", { host: "demo.example.com", origin: "https://example.com" }, true],
  ["the same host without encryption", { host: "demo.example.com", origin: "http://demo.example.com" }, true],
  ["another port", { host: "demo.example.com", origin: "https://demo.example.com:8443" }, true],
  ["a sandboxed frame", { host: "demo.example.com", origin: "null" }, true],
  ["nowhere, without an Origin", { host: "demo.example.com" }, true],
  ["nowhere, without a Host", { origin: "https://demo.example.com" }, true],
])("a change asked for by %s", (_, headers, foreign) => {
  expect(isForeignChange(request(headers as Record<string, string>), { baseUrl })).toBe(foreign);
});

test("reading needs no Origin, nor does the external API, however its path is written", () => {
  const foreign = (method: string, url: string) =>
    isForeignChange(request({ host: "demo.example.com" }, method, url), { baseUrl });
  expect(foreign("GET", "/admin")).toBe(false);
  expect(foreign("HEAD", "/admin")).toBe(false);
  expect(foreign("PATCH", "/api/external/v2/team-members/1")).toBe(false);
  expect(foreign("POST", "/api/external/../uploads")).toBe(true);
  expect(foreign("POST", "/api/external/%2e%2e/uploads")).toBe(true);
  expect(foreign("POST", "/api/external\\..\\uploads")).toBe(true);
  expect(foreign("POST", "/api/externally")).toBe(false);
  for (const url of [
    "/api/uploads",
    "/api/uploads?as=image",
    "/api/%75ploads",
    "/api/external/../uploads",
    "/api/imports",
    "/api/drafts/1",
    "/api/external/../drafts/1",
  ])
    expect([url, foreign("POST", url)]).toEqual([url, true]);
  expect(foreign("POST", "//")).toBe(true);
});

test.each([
  ["/%61pi/external/v2/x", "/api/external/v2/x", "the API"],
  ["/a%70%69/external/v2/x?q=%61", "/api/external/v2/x?q=%61", "the API"],
  ["/%41pi/external/v2/x", "/Api/external/v2/x", "a page"],
  ["/api/external/v2/%61", "/api/external/v2/%61", "the API"],
  ["/%61pi/%65xternal/v2/%61", "/api/external/v2/%61", "the API"],
  ["/admin/%73ign-in/%6cink?x=%61", "/admin/sign-in/%6cink?x=%61", "a page"],
  ["/%2561pi/external/v2/x", "/%2561pi/external/v2/x", "a page"],
  ["/%61pi%2fexternal/v2/x", "/api%2fexternal/v2/x", "a page"],
  ["/%61dmin/sign-in", "/admin/sign-in", "a page"],
  ["/%61pi/../admin/sign-in", "/api/../admin/sign-in", "the API's, and foreign"],
  ["/%61pi/%2e%2e/admin/sign-in", "/api/%2e%2e/admin/sign-in", "the API's, and foreign"],
  ["/%61pi/%75ploads", "/api/uploads", "a page"],
  ["https://demo.example.com/%61pi/external/v2/x", "/api/external/v2/x", "the API"],
])("a path has one writing: %s is %s, %s", (url, written, whose) => {
  const incoming = request({ host: "demo.example.com" }, "POST", url);
  expect([settleTarget(incoming), incoming.url]).toEqual([true, written]);
  expect([isApi(incoming.url), isForeignChange(incoming, { baseUrl })]).toEqual([
    whose !== "a page",
    whose !== "the API",
  ]);
});

test("everything below /api is the API, except uploads, imports and drafts", () => {
  for (const url of [
    "/api/external/v2/me",
    "/api/",
    "/api/uploadsx",
    "/api/auth/session",
    "/api/x/uploads",
    "/api/draftsx",
  ])
    expect([url, isApi(url)]).toEqual([url, true]);
  for (const url of ["/api/uploads", "/api/uploads?as=image", "/api/imports", "/api/drafts/1", "/uploads/x", "/admin"])
    expect([url, isApi(url)]).toEqual([url, false]);
});

test("an address that cannot be decoded is malformed, one with any letters is not", () => {
  for (const url of ["/%", "/%zz", "/a?b=%", "/%c3", "/%00", "/a?b=%00"])
    expect([url, isMalformed(url)]).toEqual([url, true]);
  for (const url of ["/", "/%E4%BD%A0", "/100%25", "/a%2fb?c=%20"])
    expect([url, isMalformed(url)]).toEqual([url, false]);
});
