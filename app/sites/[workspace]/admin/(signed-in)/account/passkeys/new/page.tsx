import type { Metadata } from "next";
import { headers } from "next/headers";
import { CurrentPassword } from "@/components/admin/current-password";
import { AdminPage } from "@/components/admin/page";
import { deviceOf } from "@/lib/http/user-agents";
import { LONGEST_PASSKEY_NAME } from "@/lib/members/passkeys";
import { requireMember } from "@/lib/session";
import { confirmationOf } from "../../../../_password";
import { PasskeyForm } from "./_passkey-form";

export const metadata: Metadata = { title: "Add passkey" };

export default async function NewPasskeyPage() {
  const signed = await requireMember();
  return (
    <AdminPage title="Add passkey" about="Use your fingerprint, face, or PIN instead of a password and code.">
      <PasskeyForm name={deviceOf((await headers()).get("user-agent"))} longest={LONGEST_PASSKEY_NAME}>
        <CurrentPassword {...(await confirmationOf(signed))} />
      </PasskeyForm>
    </AdminPage>
  );
}
