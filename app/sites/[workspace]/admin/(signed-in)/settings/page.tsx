import type { Metadata } from "next";
import { AdminPage } from "@/components/admin/page";
import { ButtonLink } from "@/components/ui/button";
import { CodeLine } from "@/components/ui/code-line";
import { Form, FormChoice, FormField } from "@/components/ui/form";
import { Section } from "@/components/ui/section";
import { env } from "@/lib/env";
import { workspaceUrl } from "@/lib/http/host";
import { administratorPermissions, within } from "@/lib/members/roles";
import { requireMember } from "@/lib/session";
import { languageChoices } from "@/lib/settings/languages";
import { DAYS_TO_TAKE_BACK } from "@/lib/workspaces/deletion";
import { timeZones } from "../../_form";
import { submitSettings } from "./actions";

export const metadata: Metadata = { title: "General" };

export default async function SettingsPage() {
  const {
    workspace,
    member: { permissions },
  } = await requireMember("settings.manage");
  const { name, language, timeZone, subdomain } = workspace;
  return (
    <AdminPage title="General" about="What readers see on every page of the knowledge base.">
      <Form action={submitSettings} submit="Save" busy="Saving …">
        <FormField label="Name" name="name" defaultValue={name} required maxLength={100} autoComplete="off" />
        <FormChoice
          label="Language"
          name="language"
          hint="The language that its articles are written in. Browsers and screen readers go by it."
          defaultValue={language}
          options={languageChoices(language)}
        />
        <FormChoice
          label="Time zone"
          name="timeZone"
          hint="Readers are shown dates in it, and it is what new members start with."
          defaultValue={timeZone}
          options={timeZones(timeZone).map((zone) => ({ value: zone, name: zone }))}
        />
      </Form>
      <Section title="Address">
        <div className="max-w-[40rem]">
          <CodeLine>{workspaceUrl(subdomain, env().baseUrl)}</CodeLine>
        </div>
        <p className="mt-3 text-text-muted">When you change it, the address it has now leads to the new one.</p>
        <div className="mt-4">
          <ButtonLink href="/admin/settings/address" look="plain">
            Change the address
          </ButtonLink>
        </div>
      </Section>
      <Section
        title="Delete"
        about={`Closes the knowledge base at once and deletes it after ${DAYS_TO_TAKE_BACK} days, with all articles, files and members.`}
      >
        {within(permissions, administratorPermissions) ? (
          <ButtonLink href="/admin/settings/delete" look="danger">
            Delete the knowledge base
          </ButtonLink>
        ) : (
          <p>An administrator can do that.</p>
        )}
      </Section>
    </AdminPage>
  );
}
