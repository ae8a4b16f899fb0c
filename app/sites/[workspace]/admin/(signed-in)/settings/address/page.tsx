import type { Metadata } from "next";
import { AdminPage } from "@/components/admin/page";
import { ButtonLink } from "@/components/ui/button";
import { CodeLine } from "@/components/ui/code-line";
import { Form, FormField } from "@/components/ui/form";
import { env } from "@/lib/env";
import { workspaceUrl } from "@/lib/http/host";
import { requireMember } from "@/lib/session";
import { submitAddress } from "../actions";

export const metadata: Metadata = { title: "Change the address" };

export default async function AddressPage() {
  const { workspace } = await requireMember("settings.manage");
  const { subdomain } = workspace;
  const { baseUrl } = env();
  return (
    <AdminPage title="Change the address" path={[{ href: "/admin/settings", name: "General" }]}>
      <div className="max-w-[40rem]">
        <p>The knowledge base is at this address now:</p>
        <div className="my-3">
          <CodeLine>{workspaceUrl(subdomain, baseUrl)}</CodeLine>
        </div>
        <p>As soon as you change it:</p>
        <ul className="mt-2 mb-6 grid list-disc gap-1.5 pl-5">
          <li>Every address that begins with the old one leads to the same page at the new one, for ever.</li>
          <li>Programs that use the API go on working at either.</li>
          <li>Members sign in again, at the new address: a session belongs to one address.</li>
          <li>Nobody else can take the old address, and you can have it back.</li>
        </ul>
      </div>
      <Form
        action={submitAddress}
        submit="Change the address"
        busy="Changing …"
        beside={
          <ButtonLink href="/admin/settings" look="plain">
            Cancel
          </ButtonLink>
        }
      >
        <FormField
          label="New subdomain"
          name="subdomain"
          hint={`What stands in front of the domain: ${workspaceUrl("new-name", baseUrl)}`}
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
