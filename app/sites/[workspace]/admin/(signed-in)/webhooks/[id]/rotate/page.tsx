import type { Metadata } from "next";
import { CurrentPassword } from "@/components/admin/current-password";
import { AdminPage } from "@/components/admin/page";
import { ShownOnceForm } from "@/components/admin/shown-once";
import { readWorkspace } from "@/lib/db";
import { requireMember } from "@/lib/session";
import { nameOf, OVERLAP_HOURS } from "@/lib/webhooks/endpoints";
import { confirmationUnlessFresh } from "../../../../_password";
import { openWebhook } from "../../_open";
import { submitRotateSecret } from "../../actions";

export const metadata: Metadata = { title: "Rotate secret" };

export default async function RotateSecretPage({ params }: { params: Promise<{ workspace: string; id: string }> }) {
  const signed = await requireMember("keys.manage");
  const { workspace, member } = signed;
  const { id } = await params;
  const webhook = await readWorkspace(workspace.id, (read) => openWebhook(read, id, member.permissions));
  return (
    <AdminPage
      title={`Rotate the secret of “${nameOf(webhook)}”`}
      about={`For ${OVERLAP_HOURS} hours, requests are signed with both the old and the new secret.`}
      path={[{ href: `/admin/webhooks/${id}`, name: nameOf(webhook) }]}
    >
      <ShownOnceForm
        action={submitRotateSecret}
        submit="Rotate secret"
        busy="Rotating…"
        cancel={`/admin/webhooks/${id}`}
        next={{ href: `/admin/webhooks/${id}`, name: "Done" }}
      >
        <input type="hidden" name="id" value={id} />
        <CurrentPassword {...(await confirmationUnlessFresh(signed))} />
      </ShownOnceForm>
    </AdminPage>
  );
}
