import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { AdminPage } from "@/components/admin/page";
import { FormChoice } from "@/components/ui/form";
import { findApiKey, keyMay } from "@/lib/api-keys/api-keys";
import { readWorkspace } from "@/lib/db";
import { within } from "@/lib/members/roles";
import { requireMember } from "@/lib/session";
import { KeyForm } from "../../_key-form";
import { submitRotateKey } from "../../actions";

export const metadata: Metadata = { title: "Rotate an API key" };

export default async function RotateKeyPage({ params }: { params: Promise<{ workspace: string; id: string }> }) {
  const { id } = await params;
  const { workspace, member } = await requireMember("keys.manage");
  const key = await readWorkspace(workspace.id, (read) => findApiKey(read, id));
  if (!key || !within(member.permissions, keyMay[key.permission])) notFound();
  return (
    <AdminPage
      title={`Rotate “${key.name}”`}
      about="The new key has the same name, permission and lifetime. Both keys work until the time that you choose is over."
      path={[{ href: "/admin/keys", name: "API keys" }]}
    >
      <KeyForm action={submitRotateKey} submit="Rotate key" busy="Rotating …">
        <input type="hidden" name="id" value={key.id} />
        <FormChoice
          label="The old key works for"
          name="overlapHours"
          hint="Time to give the new key to the program. Nothing fails meanwhile."
          defaultValue="24"
          options={[
            { value: "0", name: "No longer: it stops now" },
            { value: "24", name: "A day" },
            { value: "168", name: "A week" },
            { value: "720", name: "30 days" },
          ]}
        />
      </KeyForm>
    </AdminPage>
  );
}
