import type { Metadata } from "next";
import { CurrentPassword } from "@/components/admin/current-password";
import { AdminPage } from "@/components/admin/page";
import { ShownOnceForm } from "@/components/admin/shown-once";
import { requireMember } from "@/lib/session";
import { confirmationUnlessFresh } from "../../../_password";
import { WebhookFields } from "../_fields";
import { submitCreateWebhook } from "../actions";

export const metadata: Metadata = { title: "Add webhook" };

export default async function NewWebhookPage() {
  const signed = await requireMember("keys.manage");
  const { member } = signed;
  return (
    <AdminPage title="Add webhook">
      <ShownOnceForm
        action={submitCreateWebhook}
        submit="Add webhook"
        busy="Adding…"
        cancel="/admin/webhooks"
        next={{ href: "/admin/webhooks", name: "Done" }}
      >
        <WebhookFields permissions={member.permissions} />
        <CurrentPassword {...(await confirmationUnlessFresh(signed))} />
      </ShownOnceForm>
    </AdminPage>
  );
}
