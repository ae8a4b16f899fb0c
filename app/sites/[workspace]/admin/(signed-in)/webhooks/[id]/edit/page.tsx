import type { Metadata } from "next";
import { CurrentPassword } from "@/components/admin/current-password";
import { AdminPage } from "@/components/admin/page";
import { Form } from "@/components/ui/form";
import { readWorkspace } from "@/lib/db";
import { requireMember } from "@/lib/session";
import { nameOf } from "@/lib/webhooks/endpoints";
import { confirmationUnlessFresh } from "../../../../_password";
import { WebhookFields } from "../../_fields";
import { openWebhook } from "../../_open";
import { submitWebhook } from "../../actions";

export const metadata: Metadata = { title: "Edit webhook" };

export default async function EditWebhookPage({ params }: { params: Promise<{ workspace: string; id: string }> }) {
  const signed = await requireMember("keys.manage");
  const { workspace, member } = signed;
  const { id } = await params;
  const webhook = await readWorkspace(workspace.id, (read) => openWebhook(read, id, member.permissions));
  return (
    <AdminPage title={`Edit “${nameOf(webhook)}”`} path={[{ href: `/admin/webhooks/${id}`, name: nameOf(webhook) }]}>
      <Form action={submitWebhook} submit="Save" busy="Saving…" cancel={`/admin/webhooks/${id}`}>
        <input type="hidden" name="id" value={id} />
        <WebhookFields permissions={member.permissions} webhook={webhook} />
        <CurrentPassword {...(await confirmationUnlessFresh(signed))} />
      </Form>
    </AdminPage>
  );
}
