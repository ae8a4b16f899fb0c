import { expect } from "playwright/test";
import { everyScope } from "@/lib/api-keys/scopes";
import { ask, test } from "./kit";
import { putKey } from "./library";

// The external API through the built server, where handlers get other objects than in a plain function call.

const listed = {
  v1: ["/categories", "/articles", "/search?search_term=x", "/team_members", "/setting", "/me"],
  v2: ["/categories", "/articles", "/search?search_term=x", "/team-members", "/setting", "/me"],
};

test("every operation answers with a key, and refuses without one", async ({ aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Programs", subdomain: "programs" });
  const { host } = new URL(workspace.url);
  const key = await putKey(workspace, everyScope);
  const headers = { "X-Api-Key": key };
  for (const [version, paths] of Object.entries(listed)) {
    for (const path of paths) {
      const address = `/api/external/${version}${path}`;
      const answer = await ask(host, address, { headers });
      expect(`${address} ${answer.status}`).toBe(`${address} 200`);
      expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
      expect((await ask(host, address)).status).toBe(401);
    }
    const member = `/api/external/${version}${paths[3]}/${workspace.memberId}`;
    const json = { ...headers, "Content-Type": "application/json" };
    const changed = await ask(host, member, { method: "PATCH", headers: json, body: '{"first_name":"Augusta"}' });
    expect([changed.status, JSON.parse(changed.body).team_member.first_name]).toEqual([200, "Augusta"]);
    expect((await ask(host, `/api/external/${version}/articles/nothing`, { headers })).status).toBe(404);
  }
});

test("what is no operation is refused in JSON as well", async ({ aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Refusals", subdomain: "refusals" });
  const { host } = new URL(workspace.url);
  const statusOf = async (path: string, options: Parameters<typeof ask>[2] = {}, at = host) => {
    const { status, body } = await ask(at, path, options);
    expect(Object.keys(JSON.parse(body))).toEqual(["error", "code"]);
    return status;
  };
  expect(await statusOf("/api/external/v2/nothing")).toBe(404);
  expect(await statusOf("/api/external/v3/articles")).toBe(404);
  expect(await statusOf("/api/external/v2/articles", { method: "DELETE" })).toBe(405);
  expect(await statusOf("/api/external/v2/articles/%zz")).toBe(400);
  expect(await statusOf("/api/external/v2/articles", {}, host.replace(workspace.subdomain, "nobody-here"))).toBe(404);
});

test("a path is read in one way, however its letters are written", async ({ aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Readings", subdomain: "readings" });
  const { host } = new URL(workspace.url);
  const key = await putKey(workspace, everyScope);
  const headers = { "X-Api-Key": key, "Content-Type": "application/json" };
  // Programs send no Origin.
  for (const start of ["/api/external/", "/%61pi/external/", "/%61p%69/%65xternal/"]) {
    const path = `${start}v2/team-members/${workspace.memberId}`;
    const changed = await ask(host, path, { method: "PATCH", headers, body: '{"first_name":"Augusta"}' });
    expect([path, changed.status]).toEqual([path, 200]);
    const none = await ask(host, `${start}v2/x`, { method: "POST", headers });
    expect([start, none.status, Object.keys(JSON.parse(none.body))]).toEqual([start, 404, ["error", "code"]]);
  }
  // Paths that might reach a page, or a route with cookies, are checked like one, or are the API's 404.
  for (const path of [
    ...["/admin/sign-in", "/%61dmin/sign-in", "/./admin/sign-in", "/%2e/admin/sign-in", "//admin/sign-in"],
    ...["/api/uploads?as=picture", "/%61pi/uploads?as=picture", "/api/%75ploads?as=picture", "/%61pi/imports"],
    ...["/api%2fuploads", "/API/uploads", "/apI/../admin/sign-in", "/sites/x/admin/sign-in"],
  ]) {
    const form = { "Content-Type": "application/x-www-form-urlencoded" };
    const { status, body } = await ask(host, path, { method: "POST", headers: form, body: "email=a" });
    expect([path, status, body]).toEqual([path, 403, expect.stringContaining("didn't come from a page on this site")]);
  }
  for (const path of [
    "/api/../admin/sign-in",
    "/%61pi/%2e%2e/admin/sign-in",
    "/api/external/%2e%2e/uploads",
    "/%61pi/auth/signout",
  ]) {
    const { status, body } = await ask(host, path, { method: "POST" });
    expect([path, status, Object.keys(JSON.parse(body))]).toEqual([path, 404, ["error", "code"]]);
  }
});
