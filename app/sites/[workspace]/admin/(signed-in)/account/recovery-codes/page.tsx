import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { CurrentPassword } from "@/components/admin/current-password";
import { AdminPage } from "@/components/admin/page";
import { ShownOnceForm } from "@/components/admin/shown-once";
import { requireMember } from "@/lib/session";
import { confirmationOf } from "../../../_password";
import { submitNewCodes } from "../actions";

export const metadata: Metadata = { title: "New recovery codes" };

export default async function RecoveryCodesPage() {
  const signed = await requireMember();
  const { withPassword, withCode } = await confirmationOf(signed);
  if (!withCode) redirect("/admin/account");
  return (
    <AdminPage title="New recovery codes" about="Your old recovery codes will stop working.">
      <ShownOnceForm
        action={submitNewCodes}
        submit="Create new codes"
        busy="Creating…"
        next={{ href: "/admin/account", name: "Done" }}
        cancel="/admin/account"
      >
        <CurrentPassword withPassword={withPassword} withCode />
      </ShownOnceForm>
    </AdminPage>
  );
}
