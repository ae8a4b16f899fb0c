import type { Metadata } from "next";
import { AdminPage } from "@/components/admin/page";
import { CodeLine } from "@/components/ui/code-line";
import { Form, FormField } from "@/components/ui/form";
import { env } from "@/lib/env";
import { workspaceUrl } from "@/lib/http/host";
import { requireMember } from "@/lib/session";
import { submitAddress } from "../actions";

export const metadata: Metadata = { title: "Change URL" };

export default async function AddressPage() {
  const { workspace } = await requireMember("settings.manage");
  const { subdomain } = workspace;
  const { baseUrl } = env();
  return (
    <AdminPage title="Change URL">
      <div className="max-w-[40rem]">
        <p>Current URL</p>
        <div className="my-3">
          <CodeLine>{workspaceUrl(subdomain, baseUrl)}</CodeLine>
        </div>
        <p>If you change the URL:</p>
        <ul className="mt-2 mb-6 grid list-disc gap-1.5 pl-5">
          <li>The old URL redirects to the new URL.</li>
          <li>API calls work at both URLs.</li>
          <li>Members have to sign in again, and existing passkeys stop working.</li>
          <li>The old subdomain stays reserved for you.</li>
          <li>If you use an identity provider, you have to register the new redirect URL.</li>
        </ul>
      </div>
      <Form action={submitAddress} submit="Change URL" busy="Saving…" cancel="/admin/settings">
        <FormField
          label="New subdomain"
          name="subdomain"
          hint={`Enter only the first part of the URL, such as new-name for ${workspaceUrl("new-name", baseUrl)}`}
          defaultValue={subdomain}
          required
          maxLength={63}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      </Form>
    </AdminPage>
  );
}
