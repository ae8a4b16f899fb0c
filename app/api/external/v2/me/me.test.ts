import { expect, test } from "vitest";
import { paths } from "@/app/api/external/v2/_document/operations";
import { everyScope } from "@/lib/api-keys/scopes";
import { aWorkspace, call } from "@/testing/workspace";

test("describes the workspace and the key that asks, and says when the key was used", async () => {
  const workspace = await aWorkspace({ name: "Guides" });
  const url = `http://${workspace.subdomain}.localhost:3000`;
  const me = () => call(paths["/me"], workspace, "/api/external/v2/me");
  const { status, headers, body } = await me();
  expect([status, headers.get("cache-control")]).toEqual([200, "no-store"]);
  const key = {
    id: workspace.key.id,
    name: "test",
    last_four: workspace.key.text.slice(-4),
    permission: "read_write",
    scopes: everyScope,
    created_at: body.api_key.created_at,
    expires_at: null,
    last_used_at: null,
  };
  expect(body).toEqual({
    workspace: { id: workspace.id, name: "Guides", subdomain: workspace.subdomain, url },
    api_key: key,
  });
  expect(body.api_key.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  await expect.poll(async () => (await me()).body.api_key.last_used_at).toMatch(/^\d{4}-.*Z$/);

  const setting = await call(paths["/setting"], workspace, "/api/external/v2/setting");
  expect(setting.body).toEqual({ knowledge_base_name: "Guides", url });
});
