import type { Metadata } from "next";
import { AdminPage } from "@/components/admin/page";
import { requireMember } from "@/lib/session";
import { WebhookFields } from "../_fields";
import { WebhookForm } from "../_webhook-form";
import { submitCreateWebhook } from "../actions";

export const metadata: Metadata = { title: "Add webhook" };

export default async function NewWebhookPage() {
  const { member } = await requireMember("keys.manage");
  return (
    <AdminPage title="Add webhook" path={[{ href: "/admin/webhooks", name: "Webhooks" }]}>
      <WebhookForm action={submitCreateWebhook} submit="Add webhook" busy="Adding…">
        <WebhookFields permissions={member.permissions} />
      </WebhookForm>
    </AdminPage>
  );
}
