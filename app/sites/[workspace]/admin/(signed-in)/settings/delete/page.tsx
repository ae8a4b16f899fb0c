import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { CurrentPassword } from "@/components/admin/current-password";
import { AdminPage } from "@/components/admin/page";
import { Form, FormField } from "@/components/ui/form";
import { administratorPermissions, within } from "@/lib/members/roles";
import { requireMember } from "@/lib/session";
import { DAYS_TO_TAKE_BACK } from "@/lib/workspaces/deletion";
import { confirmationOf } from "../../../_password";
import { submitDelete } from "../actions";

export const metadata: Metadata = { title: "Delete knowledge base" };

export default async function DeletePage() {
  const signed = await requireMember("settings.manage");
  const { workspace, member } = signed;
  const { name } = workspace;
  if (!within(member.permissions, administratorPermissions)) notFound();
  const confirmation = await confirmationOf(signed);
  return (
    <AdminPage title={`Delete ${name}`}>
      <div className="max-w-[40rem]">
        <p>When you delete this knowledge base:</p>
        <ul className="mt-2 mb-6 grid list-disc gap-1.5 pl-5">
          <li>Readers, members, and API keys lose access immediately.</li>
          <li>Administrators get an email and can restore the knowledge base for {DAYS_TO_TAKE_BACK} days.</li>
          <li>After that, all articles, files, members, API keys, and the audit log are permanently deleted.</li>
        </ul>
      </div>
      {!confirmation.withPassword && !confirmation.withCode && (
        <p className="mb-6 max-w-[40rem]">
          To delete the knowledge base, first <a href="/admin/account">set a password</a>.
        </p>
      )}
      <Form
        action={submitDelete}
        submit="Delete knowledge base"
        busy="Deleting…"
        look="danger"
        cancel="/admin/settings"
      >
        <FormField
          label="Knowledge base name"
          name="name"
          hint={`Type “${name}” to confirm.`}
          required
          autoComplete="off"
        />
        <CurrentPassword {...confirmation} />
      </Form>
    </AdminPage>
  );
}
