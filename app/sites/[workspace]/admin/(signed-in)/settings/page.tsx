import type { Metadata } from "next";
import { AdminPage } from "@/components/admin/page";
import { ButtonLink } from "@/components/ui/button";
import { CodeLine } from "@/components/ui/code-line";
import { Form, FormChoice, FormField } from "@/components/ui/form";
import { env } from "@/lib/env";
import { workspaceUrl } from "@/lib/host";
import { languageChoices } from "@/lib/languages";
import { administratorPermissions, within } from "@/lib/roles";
import { requireMember } from "@/lib/session";
import { publicWorkspace } from "@/lib/site";
import { DAYS_TO_TAKE_BACK } from "@/lib/workspaces/deletion";
import { timeZones, wordOf } from "../../_form";
import { submitSettings } from "./actions";

export const metadata: Metadata = { title: "General" };

/** What has just been done, by the word of the address that says so. */
const told: Record<string, string> = {
  saved: "The settings are saved.",
  kept: "The knowledge base stays. Nothing of it was deleted.",
};

interface Props {
  params: Promise<{ workspace: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function SettingsPage({ params, searchParams }: Props) {
  const workspace = await publicWorkspace((await params).workspace);
  const { permissions } = await requireMember(workspace.subdomain, "settings.manage");
  const { name, language, timeZone, subdomain } = workspace;
  const text = told[wordOf((await searchParams).done)];
  return (
    <AdminPage
      title="General"
      about="What readers see on every page of the knowledge base."
      told={text ? { text, close: "/admin/settings" } : undefined}
    >
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
      <section aria-labelledby="address" className="mt-10 max-w-[40rem] border-t border-border pt-6">
        <h2 id="address" className="text-base">
          Address
        </h2>
        <div className="mt-3">
          <CodeLine>{workspaceUrl(subdomain, env().baseUrl)}</CodeLine>
        </div>
        <p className="mt-3 text-text-muted">When you change it, the address it has now leads to the new one.</p>
        <div className="mt-4">
          <ButtonLink href="/admin/settings/address" look="plain">
            Change the address
          </ButtonLink>
        </div>
      </section>
      <section aria-labelledby="delete" className="mt-10 max-w-[40rem] border-t border-border pt-6">
        <h2 id="delete" className="text-base">
          Delete
        </h2>
        <p className="mt-3 text-text-muted">
          Closes the knowledge base at once and deletes it after {DAYS_TO_TAKE_BACK} days, with all articles, files and
          members.
        </p>
        {within(permissions, administratorPermissions) ? (
          <div className="mt-4">
            <ButtonLink href="/admin/settings/delete" look="danger">
              Delete the knowledge base
            </ButtonLink>
          </div>
        ) : (
          <p className="mt-3">An administrator can do that.</p>
        )}
      </section>
    </AdminPage>
  );
}
