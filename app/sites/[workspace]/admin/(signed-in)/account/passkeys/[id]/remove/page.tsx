import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { CurrentPassword } from "@/components/admin/current-password";
import { AdminPage } from "@/components/admin/page";
import { Form } from "@/components/ui/form";
import { readWorkspace } from "@/lib/db";
import { listPasskeys } from "@/lib/members/passkeys";
import { requireMember } from "@/lib/session";
import { confirmationOf } from "../../../../../_password";
import { submitRemovePasskey } from "../../actions";

export const metadata: Metadata = { title: "Remove a passkey" };

export default async function RemovePasskeyPage({ params }: { params: Promise<{ workspace: string; id: string }> }) {
  const { id } = await params;
  const signed = await requireMember();
  const passkeys = await readWorkspace(signed.workspace.id, (read) => listPasskeys(read, signed.member.id));
  const passkey = passkeys.find((one) => one.id === id);
  if (!passkey) notFound();
  return (
    <AdminPage
      title={`Remove “${passkey.name}”`}
      about="You'll no longer be able to sign in with this passkey. Also delete it from your device or password manager."
    >
      <Form action={submitRemovePasskey} submit="Remove" busy="Removing…" look="danger" cancel="/admin/account">
        <input type="hidden" name="id" value={passkey.id} />
        <CurrentPassword {...(await confirmationOf(signed))} />
      </Form>
    </AdminPage>
  );
}
