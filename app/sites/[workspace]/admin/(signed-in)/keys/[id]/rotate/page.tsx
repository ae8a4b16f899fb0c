import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { CurrentPassword } from "@/components/admin/current-password";
import { AdminPage } from "@/components/admin/page";
import { ShownOnceForm } from "@/components/admin/shown-once";
import { FormChoice } from "@/components/ui/form";
import { findApiKey, keyMay } from "@/lib/api-keys/api-keys";
import { readWorkspace } from "@/lib/db";
import { within } from "@/lib/members/roles";
import { requireMember } from "@/lib/session";
import { confirmationUnlessFresh } from "../../../../_password";
import { submitRotateKey } from "../../actions";

export const metadata: Metadata = { title: "Rotate API key" };

export default async function RotateKeyPage({ params }: { params: Promise<{ workspace: string; id: string }> }) {
  const { id } = await params;
  const signed = await requireMember("keys.manage");
  const { workspace, member } = signed;
  const key = await readWorkspace(workspace.id, (read) => findApiKey(read, id));
  if (!key || !within(member.permissions, keyMay(key.scopes))) notFound();
  return (
    <AdminPage
      title={`Rotate “${key.name}”`}
      about="The new key has the same name and access. Its lifetime starts over."
    >
      <ShownOnceForm
        action={submitRotateKey}
        submit="Rotate key"
        busy="Rotating…"
        cancel="/admin/keys"
        next={{ href: "/admin/keys", name: "Done" }}
      >
        <input type="hidden" name="id" value={key.id} />
        <FormChoice
          label="Grace period for the old key"
          name="overlapHours"
          hint="Both keys work until the grace period ends."
          defaultValue="24"
          options={[
            { value: "0", name: "None" },
            { value: "24", name: "1 day" },
            { value: "168", name: "1 week" },
            { value: "720", name: "30 days" },
          ]}
        />
        <CurrentPassword {...(await confirmationUnlessFresh(signed))} />
      </ShownOnceForm>
    </AdminPage>
  );
}
