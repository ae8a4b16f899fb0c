import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { AdminPage } from "@/components/admin/page";
import { FormChoice, FormField } from "@/components/ui/form";
import { keyMay } from "@/lib/api-keys/api-keys";
import { within } from "@/lib/members/roles";
import { requireMember } from "@/lib/session";
import { KeyForm } from "../_key-form";
import { submitCreateKey } from "../actions";

export const metadata: Metadata = { title: "Create API key" };

export default async function NewKeyPage() {
  const { member } = await requireMember("keys.manage");
  if (!within(member.permissions, keyMay.read)) notFound();
  const mayWrite = within(member.permissions, keyMay.read_write);
  return (
    <AdminPage title="Create API key" path={[{ href: "/admin/keys", name: "API keys" }]}>
      <KeyForm action={submitCreateKey} submit="Create key" busy="Creating…">
        <FormField
          label="Name"
          name="name"
          hint="The app or script that uses this key."
          required
          maxLength={100}
          autoComplete="off"
        />
        <FormChoice
          label="Permission"
          name="permission"
          hint={mayWrite ? undefined : "Write access needs a role with every permission."}
          defaultValue="read"
          options={[
            { value: "read", name: "Read" },
            ...(mayWrite ? [{ value: "read_write", name: "Read and write" }] : []),
          ]}
        />
        <FormChoice
          label="Expires"
          name="expires"
          defaultValue="90"
          options={[
            { value: "30", name: "In 30 days" },
            { value: "90", name: "In 90 days" },
            { value: "365", name: "In 1 year" },
            { value: "never", name: "Never" },
          ]}
        />
      </KeyForm>
    </AdminPage>
  );
}
