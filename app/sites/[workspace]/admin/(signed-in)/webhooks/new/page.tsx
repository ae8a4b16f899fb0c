import type { Metadata } from "next";
import { AdminPage } from "@/components/admin/page";
import { ShownOnceForm } from "@/components/admin/shown-once";
import { requireMember } from "@/lib/session";
import { WebhookFields } from "../_fields";
import { submitCreateWebhook } from "../actions";

export const metadata: Metadata = { title: "Add webhook" };

export default async function NewWebhookPage() {
  const { member } = await requireMember("keys.manage");
  return (
    <AdminPage title="Add webhook" path={[{ href: "/admin/webhooks", name: "Webhooks" }]}>
      <ShownOnceForm
        action={submitCreateWebhook}
        submit="Add webhook"
        busy="Adding…"
        next={{ href: "/admin/webhooks", name: "Done" }}
      >
        <WebhookFields permissions={member.permissions} />
      </ShownOnceForm>
    </AdminPage>
  );
}
