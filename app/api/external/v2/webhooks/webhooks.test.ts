import { Webhook } from "standardwebhooks";
import { expect, onTestFinished, test, vi } from "vitest";
import { paths } from "@/app/api/external/v2/_document/operations";
import { createApiKey } from "@/lib/api-keys/api-keys";
import type { Scope } from "@/lib/api-keys/scopes";
import { acrossWorkspaces, inWorkspace } from "@/lib/db";
import { workspaceLimits } from "@/lib/limits";
import { deliverWebhooks } from "@/lib/webhooks/deliver";
import { createEndpoint, switchEndpoint } from "@/lib/webhooks/endpoints";
import { aReceiver } from "@/testing/receiver";
import { aWorkspace, call } from "@/testing/workspace";

vi.stubEnv("AUTH_SECRET", "Kq2vXw7mZr4tBn9sLd6hFj3pGc8yTa5e");

const random = "5b3e2a0c-9d8f-4b1a-8c7d-6e5f4a3b2c1d";
const fields = { url: "https://hooks.example.com/in", events: ["article.published"] };

const fieldsOf = ({ status, body }: { status: number; body: any }) => [
  status,
  ...(body.details ?? []).map(({ field, code }: { field: string; code: string }) => `${field} ${code}`),
];

/** A workspace with a key "Sync" that manages webhooks. */
async function aManager(scopes: readonly Scope[] = ["webhooks"]) {
  const workspace = await aWorkspace();
  const key = await inWorkspace(workspace.id, (db) =>
    createApiKey(db, { name: "Sync", scopes: [...scopes] }, workspace.actor),
  );
  /** A request below /webhooks. Ids in `path` stand for parameters. */
  const send = (method: string, path = "", body?: object, headers: Record<string, string> = {}) => {
    const [, id, action, delivery, rest] = path.split("?")[0]?.split("/") ?? [];
    const template = `/webhooks${id ? "/{webhook_id}" : ""}${action ? `/${action}` : ""}${delivery ? `/{delivery_id}/${rest}` : ""}`;
    const handler = paths[template as keyof typeof paths];
    const address = `/api/external/v2/webhooks${path}`;
    return call(handler, workspace, address, { method, key: key.text, headers, ...(body && { body }) });
  };
  const deliver = () => deliverWebhooks(workspace.id, new AbortController().signal);
  return { workspace, send, deliver };
}

const actionsOf = async (workspaceId: string) => {
  const entries = await acrossWorkspaces.query<{ entry: string }>(
    `SELECT actor_name || ' ' || action AS entry FROM audit_entries
     WHERE workspace_id = $1 AND subject_kind = 'webhook' ORDER BY created_at`,
    [workspaceId],
  );
  return entries.map(({ entry }) => entry);
};

/** Whether a request was signed with this secret. */
function verifies({ body, headers }: { body: string; headers: object }, secret: string): boolean {
  try {
    return new Webhook(secret).verify(body, headers as Record<string, string>) !== undefined;
  } catch {
    return false;
  }
}

test("a webhook is created, gets the next event signed with its secret, and is changed and deleted", async () => {
  const { workspace, send, deliver } = await aManager();
  const { url, received } = await aReceiver(onTestFinished);
  const made = await send("POST", "", { events: ["category.created"], url, description: " Search  index " });
  const { webhook, secret } = made.body;
  expect([made.status, made.headers.get("location")]).toEqual([
    201,
    `http://${workspace.subdomain}.localhost:3000/api/external/v2/webhooks/${webhook.id}`,
  ]);
  expect(webhook).toEqual({
    ...{ id: webhook.id, url, description: "Search index", events: ["category.created"], active: true },
    ...{ off_because: null, failing_since: null, old_secret_until: null, created_at: expect.any(String) },
  });
  expect((await send("GET", `/${webhook.id}`)).body).toEqual({ webhook });
  const category = { method: "POST", body: { name: "Guides" } };
  await call(paths["/categories"], workspace, "/api/external/v2/categories", category);
  await deliver();
  expect(received.map((one) => [JSON.parse(one.body).type, verifies(one, secret)])).toEqual([
    ["category.created", true],
  ]);
  const changed = await send("PATCH", `/${webhook.id}`, {
    events: ["member.joined", "article.created"],
    active: false,
  });
  const now = { ...webhook, events: ["article.created", "member.joined"], active: false };
  expect(changed.body.webhook).toEqual(now);
  expect((await send("PATCH", `/${webhook.id}`, now)).body.webhook).toEqual(now);
  expect((await send("DELETE", `/${webhook.id}`)).body.deleted).toEqual(now);
  for (const [method, path] of [
    ["GET", ""],
    ["DELETE", ""],
    ["POST", "/test"],
    ["POST", "/rotate-secret"],
    ["GET", "/deliveries"],
  ] as const)
    expect([method, path, (await send(method, `/${webhook.id}${path}`)).status]).toEqual([method, path, 404]);
  expect(await actionsOf(workspace.id)).toEqual([
    ...["Sync webhook.created", "Sync webhook.updated", "Sync webhook.switched_off", "Sync webhook.deleted"],
  ]);
});

test("the secret is only in the answer that creates or rotates it, and in no row of the database", async () => {
  const { workspace, send } = await aManager();
  const repeat = { "idempotency-key": "create-1" };
  const made = await send("POST", "", fields, repeat);
  const { webhook, secret } = made.body;
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const again = await send("POST", "", fields, repeat);
  expect([again.text, again.headers.get("idempotency-replayed")]).toEqual([made.text, "true"]);
  const rotation = { "idempotency-key": "rotate-1" };
  const rotated = await send("POST", `/${webhook.id}/rotate-secret`, undefined, rotation);
  const twice = await send("POST", `/${webhook.id}/rotate-secret`, undefined, rotation);
  expect([twice.text, twice.headers.get("idempotency-replayed")]).toEqual([rotated.text, "true"]);
  const others = [
    await send("GET"),
    await send("GET", `/${webhook.id}`),
    await send("PATCH", `/${webhook.id}`, { description: "Other" }),
    await send("POST", `/${webhook.id}/test`),
    await send("GET", `/${webhook.id}/deliveries`),
  ].map(({ text }) => text);
  const kept = await acrossWorkspaces.query<{ body: string }>(
    `SELECT body FROM idempotency_keys WHERE workspace_id = $1
     UNION ALL SELECT details::text FROM audit_entries WHERE workspace_id = $1
     UNION ALL SELECT encode(secret, 'escape') || encode(former_secret, 'escape') FROM webhook_endpoints WHERE workspace_id = $1`,
    [workspace.id],
  );
  expect(kept.length).toBeGreaterThan(4);
  for (const text of [...others, ...kept.map(({ body }) => body)]) {
    expect(text).not.toContain("whsec_");
    expect(Buffer.from(text, "base64").toString()).not.toContain("whsec_");
  }
});

test("after a rotation, requests are signed with both secrets, and the answer says until when", async () => {
  const { send, deliver } = await aManager();
  const { url, received } = await aReceiver(onTestFinished);
  const { webhook, secret } = (await send("POST", "", { ...fields, url })).body;
  const { webhook: rotated, secret: next } = (await send("POST", `/${webhook.id}/rotate-secret`)).body;
  const hours = (Date.parse(rotated.old_secret_until) - Date.now()) / 3_600_000;
  expect(hours).toBeGreaterThan(23.9);
  expect(hours).toBeLessThanOrEqual(24);
  expect((await send("GET", `/${webhook.id}`)).body.webhook).toEqual(rotated);
  await send("POST", `/${webhook.id}/test`);
  await deliver();
  expect(received.map((one) => [verifies(one, secret), verifies(one, next)])).toEqual([[true, true]]);
});

test("a test is sent once, its response is listed, and a delivery can be resent with the same id", async () => {
  const { workspace, send, deliver } = await aManager();
  const { url, received } = await aReceiver(onTestFinished, (_, response) => void response.writeHead(500).end("Oops"));
  const { id } = (await send("POST", "", { ...fields, url })).body.webhook;
  const { delivery } = (await send("POST", `/${id}/test`)).body;
  expect(delivery).toMatchObject({ webhook_id: id, event: "ping", state: "waiting", attempts: 0, status: null });
  expect(delivery.next_attempt_at).not.toBeNull();
  await deliver();
  const list = async (query = "") => (await send("GET", `/${id}/deliveries${query}`)).body;
  const failed = { ...delivery, state: "failed", attempts: 1, status: 500, next_attempt_at: null };
  expect((await list()).deliveries).toEqual([
    { ...failed, attempted_at: expect.any(String), took_ms: expect.any(Number) },
  ]);
  const again = await send("POST", `/${id}/deliveries/${delivery.id}/resend`);
  expect(again.body.delivery).toMatchObject({ id: delivery.id, state: "waiting", attempts: 0, status: null });
  await deliver();
  expect(received.map(({ headers }) => headers["webhook-id"])).toEqual([delivery.id, delivery.id]);
  await send("POST", `/${id}/test`);
  const page = await list("?page_size=1&page_number=2");
  expect([page.deliveries.map((one: { id: string }) => one.id), page.pagination.total_records]).toEqual([
    [delivery.id],
    2,
  ]);
  expect((await list("?state=waiting")).pagination.total_records).toBe(1);
  expect(fieldsOf(await send("GET", `/${id}/deliveries?state=lost`))).toEqual([422, "state invalid"]);
  expect((await send("POST", `/${id}/deliveries/${random}/resend`)).status).toBe(404);
  expect((await actionsOf(workspace.id)).slice(1)).toEqual([
    ...["Sync webhook.tested", "Sync webhook.resent", "Sync webhook.tested"],
  ]);
  await send("PATCH", `/${id}`, { active: false });
  for (const path of ["/test", `/deliveries/${delivery.id}/resend`]) {
    const refused = await send("POST", `/${id}${path}`);
    expect([refused.status, refused.body.error]).toEqual([422, "This webhook is off. Switch it on first."]);
  }
});

test("every field that was refused is named, and so is the maximum of webhooks", async () => {
  const { send } = await aManager();
  for (const [body, ...named] of [
    [{}, "url required", "events required"],
    [{ url: 1, description: 1, events: "all" }, "url invalid", "description invalid", "events invalid"],
    [{ ...fields, url: "ftp://example.com" }, "url invalid"],
    [{ ...fields, url: "https://10.0.0.1/" }, "url not_allowed"],
    [{ ...fields, events: [] }, "events required"],
    [{ ...fields, events: ["article.published", "ping"] }, "events.1 invalid"],
    [{ ...fields, description: "x".repeat(201) }, "description too_long"],
  ] as [object, ...string[]][]) {
    expect([body, ...fieldsOf(await send("POST", "", body))]).toEqual([body, 422, ...named]);
  }
  const { id } = (await send("POST", "", fields)).body.webhook;
  expect(fieldsOf(await send("PATCH", `/${id}`, { events: [] }))).toEqual([422, "events required"]);
  for (let count = 1; count < workspaceLimits.webhookEndpoints; count++) await send("POST", "", fields);
  const refused = await send("POST", "", fields);
  expect([refused.status, refused.body.error]).toEqual([
    422,
    "There are 20 webhooks, which is the maximum. Delete one first.",
  ]);
  const page = (await send("GET", "?page_size=15&page_number=2")).body;
  expect([page.webhooks.length, page.pagination.total_records]).toEqual([5, 20]);
});

test("with an ETag, is changed, rotated and deleted only if no one else has changed it", async () => {
  const { workspace, send } = await aManager();
  const { id } = (await send("POST", "", fields)).body.webhook;
  const tag = async () => ({ "if-match": (await send("GET", `/${id}`)).headers.get("etag") ?? "" });
  const old = await tag();
  await inWorkspace(workspace.id, (db) => switchEndpoint(db, id, false, workspace.actor));
  for (const late of [
    await send("PATCH", `/${id}`, { active: true }, old),
    await send("POST", `/${id}/rotate-secret`, undefined, old),
    await send("DELETE", `/${id}`, undefined, old),
  ])
    expect([late.status, late.body.code]).toEqual([412, "revision_conflict"]);
  expect((await send("PATCH", `/${id}`, { active: true }, await tag())).body.webhook.active).toBe(true);
});

test("a webhook with a URL that is not valid here can be changed, but not to another such URL", async () => {
  const { send } = await aManager();
  const { id } = (await send("POST", "", fields)).body.webhook;
  await acrossWorkspaces.query("UPDATE webhook_endpoints SET url = 'http://dev.example/' WHERE id = $1::uuid", [id]);
  const renamed = await send("PATCH", `/${id}`, { description: "Renamed" });
  expect(renamed.body.webhook).toMatchObject({ url: "http://dev.example/", description: "Renamed" });
  expect(fieldsOf(await send("PATCH", `/${id}`, { url: "http://other.example/" }))).toEqual([422, "url invalid"]);
});

test("only a key that reads the audit log has its entries sent, or changes a webhook that sends them", async () => {
  const { workspace, send } = await aManager();
  const listening = { ...fields, events: ["audit_entry.created"] };
  const refused = { error: "This API key needs the audit.read scope. Use a key that has it.", code: "missing_scope" };
  expect(await send("POST", "", listening)).toMatchObject({ status: 403, body: refused });
  const mine = (await send("POST", "", fields)).body.webhook.id as string;
  expect(await send("PATCH", `/${mine}`, { events: listening.events })).toMatchObject({ status: 403, body: refused });
  const { id } = await inWorkspace(workspace.id, (db) =>
    createEndpoint(db, workspace.id, { ...listening, description: "" }, workspace.actor),
  );
  for (const [path, method, body] of [
    ["", "PATCH", { url: "https://hooks.example.com/mine" }],
    ["", "PATCH", { events: fields.events }],
    ["/rotate-secret", "POST", undefined],
  ] as const)
    expect(await send(method, `/${id}${path}`, body)).toMatchObject({ status: 403, body: refused });

  const reader = await aManager(["webhooks", "audit.read"]);
  const created = await reader.send("POST", "", listening);
  expect(created).toMatchObject({ status: 201, body: { webhook: { events: listening.events } } });
  const path = `/${created.body.webhook.id as string}`;
  expect(await reader.send("PATCH", path, { description: "Collector" })).toMatchObject({ status: 200 });
});
