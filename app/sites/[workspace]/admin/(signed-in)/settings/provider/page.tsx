import type { Metadata } from "next";
import { CurrentPassword } from "@/components/admin/current-password";
import { AdminPage } from "@/components/admin/page";
import { ButtonLink } from "@/components/ui/button-link";
import { CodeFrame, CodeText } from "@/components/ui/code-frame";
import { CopyButton } from "@/components/ui/copy-button";
import { Form, FormChoice, FormField } from "@/components/ui/form";
import { Section } from "@/components/ui/section";
import { readWorkspace } from "@/lib/db";
import { findProvider } from "@/lib/identity-provider/settings";
import { listRoles } from "@/lib/members/roles";
import { confirmationUnlessFresh } from "../../../_password";
import { redirectUri } from "../../../sign-in/oidc/_answer";
import { providerDoor } from "../_provider-door";
import { submitProvider } from "../actions";

export const metadata: Metadata = { title: "Identity provider" };

export default async function ProviderPage() {
  const signed = await providerDoor();
  const { workspace } = signed;
  const [provider, roles] = await readWorkspace(workspace.id, async (read) => [
    await findProvider(read),
    await listRoles(read),
  ]);
  const confirmation = await confirmationUnlessFresh(signed);
  return (
    <AdminPage title="Identity provider">
      <div className="mb-6 grid max-w-[40rem] gap-3">
        <p>Register Lectern with your OpenID Connect provider, using this redirect URL.</p>
        <CodeFrame
          head={
            <>
              <span>Redirect URL</span>
              <CopyButton label="Copy redirect URL" />
            </>
          }
        >
          <CodeText>{redirectUri(workspace)}</CodeText>
        </CodeFrame>
      </div>
      <Form action={submitProvider} submit="Save" busy="Saving…" cancel="/admin/settings">
        <FormField
          label="Provider name"
          name="name"
          hint="Shown on the sign-in button, as in “Sign in with Okta.”"
          defaultValue={provider?.name}
          required
          maxLength={50}
          autoComplete="off"
        />
        <FormField
          label="Issuer URL"
          name="issuer"
          type="url"
          hint="For example, https://login.example.com"
          defaultValue={provider?.issuer}
          required
          maxLength={2_000}
          autoComplete="off"
          spellCheck={false}
        />
        <FormField
          label="Client ID"
          name="clientId"
          defaultValue={provider?.clientId}
          required
          maxLength={500}
          autoComplete="off"
          spellCheck={false}
        />
        <FormField
          label="Client secret"
          name="clientSecret"
          type="password"
          hint={provider && "Leave empty to keep the current secret."}
          required={!provider}
          maxLength={500}
          autoComplete="new-password"
        />
        <FormChoice
          label="Non-members"
          name="newMemberRole"
          hint="If you choose a role, anyone who signs in through your provider becomes a member."
          defaultValue={provider?.newMemberRole ?? ""}
          options={[
            { value: "", name: "Can't sign in" },
            ...roles.map(({ name }) => ({ value: name, name: `Join as ${name}` })),
          ]}
        />
        <CurrentPassword {...confirmation} />
      </Form>
      {provider && (
        <Section title="Remove" about="Members will sign in with a password, a passkey, or an email link instead.">
          <ButtonLink href="/admin/settings/provider/remove" look="danger">
            Remove identity provider
          </ButtonLink>
        </Section>
      )}
    </AdminPage>
  );
}
