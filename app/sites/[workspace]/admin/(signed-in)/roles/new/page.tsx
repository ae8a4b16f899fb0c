import type { Metadata } from "next";
import { AdminPage } from "@/components/admin/page";
import { Form } from "@/components/ui/form";
import { requireMember } from "@/lib/session";
import { RoleFields } from "../_fields";
import { submitRole } from "../actions";

export const metadata: Metadata = { title: "Create role" };

export default async function NewRolePage() {
  const { member } = await requireMember("members.manage");
  return (
    <AdminPage title="Create role">
      <Form action={submitRole} submit="Create role" busy="Creating…" cancel="/admin/roles">
        <RoleFields role={{ name: "", permissions: ["articles.write"] }} givable={member.permissions} />
      </Form>
    </AdminPage>
  );
}
