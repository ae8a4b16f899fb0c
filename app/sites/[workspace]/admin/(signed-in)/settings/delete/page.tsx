import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { CurrentPassword } from "@/components/admin/current-password";
import { AdminPage } from "@/components/admin/page";
import { ButtonLink } from "@/components/ui/button";
import { Form, FormField } from "@/components/ui/form";
import { readWorkspace } from "@/lib/db";
import { hasPassword } from "@/lib/members/change-password";
import { administratorPermissions, within } from "@/lib/members/roles";
import { requireMember } from "@/lib/session";
import { DAYS_TO_TAKE_BACK } from "@/lib/workspaces/deletion";
import { submitDelete } from "../actions";

export const metadata: Metadata = { title: "Delete the knowledge base" };

export default async function DeletePage() {
  const { workspace, member } = await requireMember("settings.manage");
  const { id, name } = workspace;
  if (!within(member.permissions, administratorPermissions)) notFound();
  const has = await readWorkspace(id, (read) => hasPassword(read, member.id));
  return (
    <AdminPage title={`Delete ${name}`} path={[{ href: "/admin/settings", name: "General" }]}>
      <div className="max-w-[40rem]">
        <p>This happens when you delete it:</p>
        <ul className="mt-2 mb-6 grid list-disc gap-1.5 pl-5">
          <li>At once, readers are told that it is closed, and API keys stop working.</li>
          <li>
            For {DAYS_TO_TAKE_BACK} days you can sign in and take it back as it was. All administrators are told by
            mail.
          </li>
          <li>Then everything is deleted: articles, files, members, keys and the log. Nobody can bring it back.</li>
        </ul>
      </div>
      {!has && (
        <p className="mb-6 max-w-[40rem]">
          You have no password, and sign in by links in mails. <a href="/admin/account">Set a password</a> first: it
          proves that it is you who deletes the knowledge base.
        </p>
      )}
      <Form
        action={submitDelete}
        submit="Delete the knowledge base"
        busy="Closing …"
        look="danger"
        beside={
          <ButtonLink href="/admin/settings" look="plain">
            Cancel
          </ButtonLink>
        }
      >
        <FormField label="Name of the knowledge base" name="name" hint={`Type ${name}`} required autoComplete="off" />
        {has && <CurrentPassword />}
      </Form>
    </AdminPage>
  );
}
