import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { CurrentPassword } from "@/components/admin/current-password";
import { AdminPage } from "@/components/admin/page";
import { Form } from "@/components/ui/form";
import { readWorkspace } from "@/lib/db";
import { findProvider } from "@/lib/identity-provider/settings";
import { confirmationUnlessFresh } from "../../../../_password";
import { providerDoor } from "../../_provider-door";
import { submitRemoveProvider } from "../../actions";

export const metadata: Metadata = { title: "Remove identity provider" };

export default async function RemoveProviderPage() {
  const signed = await providerDoor();
  const provider = await readWorkspace(signed.workspace.id, findProvider);
  if (!provider) notFound();
  const confirmation = await confirmationUnlessFresh(signed);
  return (
    <AdminPage
      title={`Remove ${provider.name}`}
      path={[{ href: "/admin/settings/provider", name: "Identity provider" }]}
    >
      <p className="mb-6 max-w-[40rem]">
        Everyone else who signed in with {provider.name} will be signed out. They can still sign in with a password, a
        passkey, or an email link. To set up {provider.name} again, you need its client secret.
      </p>
      <Form
        action={submitRemoveProvider}
        submit="Remove identity provider"
        busy="Removing…"
        look="danger"
        cancel="/admin/settings/provider"
      >
        <CurrentPassword {...confirmation} />
      </Form>
    </AdminPage>
  );
}
