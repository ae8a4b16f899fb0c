import { notFound } from "next/navigation";
import type { Read } from "@/lib/db";
import { type Permission, within } from "@/lib/members/roles";
import { type Endpoint, findEndpoint, webhookMay } from "@/lib/webhooks/endpoints";

/** A webhook that the member may see. Otherwise shows the not-found page. */
export async function openWebhook(read: Read, id: string, permissions: readonly Permission[]): Promise<Endpoint> {
  const webhook = await findEndpoint(read, id);
  return webhook && within(permissions, webhookMay(webhook.events)) ? webhook : notFound();
}
