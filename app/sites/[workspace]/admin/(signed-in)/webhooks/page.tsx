import type { Metadata } from "next";
import Link from "next/link";
import { ListPage } from "@/components/admin/list-page";
import { ButtonLink } from "@/components/ui/button-link";
import { countOf } from "@/components/ui/count";
import { Moment } from "@/components/ui/moment";
import { Table } from "@/components/ui/table";
import { readWorkspace } from "@/lib/db";
import { within } from "@/lib/members/roles";
import { requireMember } from "@/lib/session";
import { listEndpoints, nameOf, webhookMay } from "@/lib/webhooks/endpoints";
import { WebhookStatus } from "./_status";

export const metadata: Metadata = { title: "Webhooks" };

export default async function WebhooksPage() {
  const { workspace, member } = await requireMember("keys.manage");
  const all = await readWorkspace(workspace.id, listEndpoints);
  const webhooks = all.filter(({ events }) => within(member.permissions, webhookMay(events)));
  const now = new Date();
  return (
    <ListPage
      title="Webhooks"
      about="Notify other services about changes."
      action={<ButtonLink href="/admin/webhooks/new">Add webhook</ButtonLink>}
      list={{
        page: 1,
        size: Math.max(webhooks.length, 1),
        total: webhooks.length,
        shown: webhooks.length,
        address: () => "/admin/webhooks",
      }}
      empty={{
        title: "No webhooks yet",
        text: <p>Add a webhook to rebuild a site or update a search index when an article changes.</p>,
      }}
    >
      <Table
        label="Webhooks"
        columns={["Webhook", "Status", "Events", "Last delivered", "Waiting"]}
        rows={webhooks.map((webhook) => ({
          key: webhook.id,
          cells: [
            <span key="name">
              <Link href={`/admin/webhooks/${webhook.id}`} prefetch={false} className="font-medium wrap-anywhere">
                {nameOf(webhook)}
              </Link>
              <span className="block text-code wrap-anywhere text-text-muted">{webhook.url}</span>
            </span>,
            <WebhookStatus key="status" webhook={webhook} />,
            <span key="events" title={webhook.events.join(", ")}>
              {webhook.events.length === 1 ? webhook.events[0] : countOf(webhook.events.length, "event")}
            </span>,
            webhook.deliveredAt ? (
              <Moment key="last" at={webhook.deliveredAt} now={now} timeZone={member.timeZone} />
            ) : (
              <span key="last" className="text-text-muted">
                Never
              </span>
            ),
            webhook.waiting.toLocaleString("en"),
          ],
        }))}
      />
    </ListPage>
  );
}
