import { expect, test } from "vitest";
import { newSecret, signedHeaders } from "@/lib/webhooks/signature";
import { verifyWebhook, WebhookVerificationError } from "./webhooks.js";

const secret = newSecret();
const event = { type: "article.published", timestamp: "2026-11-26T10:00:00.000Z", data: { id: "1", slug: "grüße" } };
const body = JSON.stringify(event);
const sent = (by = [secret], at = new Date()) => ({ headers: signedHeaders({ id: "a", at, body }, by), body });

test("a request that Lectern signed is its event, in any form in which a server hands it over", async () => {
  const { headers } = sent();
  const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
  for (const given of [headers, new Headers(headers), upper]) {
    expect(await verifyWebhook({ headers: given, body }, secret)).toEqual(event);
    expect(await verifyWebhook({ headers: given, body: new TextEncoder().encode(body) }, secret)).toEqual(event);
  }
});

test("while a secret rotates, either side may know both", async () => {
  const next = newSecret();
  expect(await verifyWebhook(sent([next, secret]), secret)).toEqual(event);
  expect(await verifyWebhook(sent([next, secret]), next)).toEqual(event);
  expect(await verifyWebhook(sent([next]), [secret, next])).toEqual(event);
});

test("anything else is refused", async () => {
  const { headers } = sent();
  const minutes = (count: number) => new Date(Date.now() + count * 60_000);
  const refused = [
    { headers, body: `${body} ` },
    { headers: { ...headers, "webhook-id": "b" }, body },
    { headers: { ...headers, "webhook-timestamp": String(Number(headers["webhook-timestamp"]) + 1) }, body },
    { headers: { ...headers, "webhook-timestamp": "soon" }, body },
    { headers: { ...headers, "webhook-signature": headers["webhook-signature"].replace("v1,", "v2,") }, body },
    { headers: { ...headers, "webhook-signature": "v1,%%%" }, body },
    { headers: {}, body },
    sent([newSecret()]),
    sent([secret], minutes(-6)),
    sent([secret], minutes(6)),
  ];
  for (const request of refused)
    await expect(verifyWebhook(request, secret)).rejects.toBeInstanceOf(WebhookVerificationError);
  expect(await verifyWebhook(sent([secret], minutes(-4)), secret)).toEqual(event);
  for (const none of ["", "whsec_"]) await expect(verifyWebhook(sent(), none)).rejects.toThrow(TypeError);
});
