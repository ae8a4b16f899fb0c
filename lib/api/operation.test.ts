import { expect, test } from "vitest";
import { z } from "zod";
import { inWorkspace } from "@/lib/db";
import { UnavailableError } from "@/lib/errors";
import { aWorkspace } from "@/testing/workspace";
import { writeOperation } from "./operation";

test("a change that is made is answered as made, whatever becomes of what follows it", async () => {
  const workspace = await aWorkspace();
  const rename = writeOperation({
    operationId: "rename",
    tag: "Settings",
    summary: "",
    description: "",
    returns: "",
    example: { name: "" },
    scope: "members.write",
    params: z.object({}),
    query: z.object({}),
    body: z.object({ name: z.string() }),
    response: z.object({ name: z.string() }),
    before: async () => () => Promise.reject(new UnavailableError()),
    handle: async ({ db, body, workspace: { id } }) =>
      db.workspace.update({ where: { id }, data: { name: body.name }, select: { name: true } }),
  });
  const request = new Request("http://x/api/external/v2/settings", {
    method: "POST",
    headers: { "x-api-key": workspace.key.text, "content-type": "application/json", "x-forwarded-for": "192.0.2.1" },
    body: '{"name":"Harbour"}',
  });
  const answer = await rename({ request, requestId: "r", workspace, params: {}, answerHeaders: new Headers() });
  expect([answer.status, await answer.json()]).toEqual([200, { name: "Harbour" }]);
  const stored = await inWorkspace(workspace.id, (db) => db.workspace.findFirst({ select: { name: true } }));
  expect(stored).toEqual({ name: "Harbour" });
});
