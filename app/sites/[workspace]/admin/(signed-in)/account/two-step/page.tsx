import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { CurrentPassword } from "@/components/admin/current-password";
import { AdminPage } from "@/components/admin/page";
import { Form } from "@/components/ui/form";
import { requireMember } from "@/lib/session";
import { confirmationOf } from "../../../_password";
import { submitTurnOff } from "../actions";

export const metadata: Metadata = { title: "Turn off two-step verification" };

export default async function TurnOffPage() {
  const signed = await requireMember();
  const { withPassword, withCode } = await confirmationOf(signed);
  if (!withCode) redirect("/admin/account");
  return (
    <AdminPage
      title="Turn off two-step verification"
      about={
        signed.member.twoStep.isRequired
          ? "Your recovery codes will stop working. Your role requires two-step verification, so you'll have to set it up again."
          : "You'll no longer need a code to sign in, and your recovery codes will stop working."
      }
    >
      <Form action={submitTurnOff} submit="Turn off" busy="Turning off…" look="danger" cancel="/admin/account">
        <CurrentPassword withPassword={withPassword} withCode />
      </Form>
    </AdminPage>
  );
}
