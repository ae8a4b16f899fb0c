import type { Metadata } from "next";
import { AdminPage } from "@/components/admin/page";
import { ButtonLink } from "@/components/ui/button-link";
import { CodeLine } from "@/components/ui/code-line";
import { countOf } from "@/components/ui/count";
import { FormChoice, FormField } from "@/components/ui/form";
import { Section } from "@/components/ui/section";
import { readWorkspace } from "@/lib/db";
import { env } from "@/lib/env";
import { workspaceUrl } from "@/lib/http/host";
import { findProvider } from "@/lib/identity-provider/settings";
import { administratorPermissions, permissions as everyPermission, within } from "@/lib/members/roles";
import { currentTimeZone, timeZoneChoices } from "@/lib/members/time-zones";
import { requireMember } from "@/lib/session";
import { languageChoices } from "@/lib/settings/languages";
import { entryDays, findRetention, ipDays, spokenDays } from "@/lib/settings/retention";
import { findTwoStepRule } from "@/lib/settings/two-step-rule";
import { DAYS_TO_TAKE_BACK } from "@/lib/workspaces/deletion";
import { confirmationUnlessFresh } from "../../_password";
import { SettingsForm } from "./_settings-form";
import { submitSettings } from "./actions";

export const metadata: Metadata = { title: "General" };

export default async function SettingsPage() {
  const signed = await requireMember("settings.manage");
  const {
    workspace,
    member: { permissions },
  } = signed;
  const { name, language, timeZone, subdomain } = workspace;
  const confirmation = await confirmationUnlessFresh(signed);
  const [{ rule, members, using }, provider, retention] = await readWorkspace(workspace.id, async (read) => [
    await findTwoStepRule(read),
    await findProvider(read),
    await findRetention(read),
  ]);
  const saved = {
    ...{ name, language, timeZone: currentTimeZone(timeZone), rule },
    ...{ entries: String(retention.entries), ips: String(retention.ips) },
  };
  return (
    <AdminPage title="General">
      <SettingsForm
        action={submitSettings}
        saved={saved}
        confirmed={["rule", "entries", "ips"]}
        confirmation={confirmation}
      >
        <div className="grid max-w-[28rem] gap-5">
          <FormField label="Name" name="name" defaultValue={saved.name} required maxLength={100} autoComplete="off" />
          <FormChoice
            label="Language"
            name="language"
            hint="The language of your articles and of reader pages."
            defaultValue={saved.language}
            options={languageChoices(language)}
          />
          <FormChoice
            label="Time zone"
            name="timeZone"
            hint="Used for schedules, for dates on reader pages, and as the default for new members."
            defaultValue={saved.timeZone}
            options={timeZoneChoices(timeZone)}
          />
        </div>
        <Section title="Two-step verification" about={`Used by ${using} of ${countOf(members, "member")}.`}>
          <div className="max-w-[28rem]">
            <FormChoice
              label="Required for"
              name="rule"
              hint="If two-step verification is required, members must set it up before they can continue."
              defaultValue={saved.rule}
              options={[
                { value: "nobody", name: "No one" },
                { value: "administrators", name: "Administrators" },
                { value: "everyone", name: "Everyone" },
              ]}
            />
          </div>
        </Section>
        <Section title="Audit log" about="Older entries and IP addresses are permanently deleted.">
          <div className="grid max-w-[28rem] gap-5">
            <FormChoice
              label="Keep entries for"
              name="entries"
              defaultValue={saved.entries}
              options={entryDays.map((days) => ({
                value: String(days),
                name: days === null ? "Forever" : spokenDays(days),
              }))}
            />
            <FormChoice
              label="Keep IP addresses for"
              name="ips"
              defaultValue={saved.ips}
              options={ipDays.map((days) => ({ value: String(days), name: spokenDays(days) }))}
            />
          </div>
        </Section>
      </SettingsForm>
      <Section
        title="URL"
        about="If you change the URL, the old URL redirects to the new URL."
        action={
          <ButtonLink href="/admin/settings/address" look="plain" size="small">
            Change URL
          </ButtonLink>
        }
      >
        <div className="max-w-[40rem]">
          <CodeLine>{workspaceUrl(subdomain, env().baseUrl)}</CodeLine>
        </div>
      </Section>
      <Section
        title="Identity provider"
        about={
          provider
            ? `Members can sign in with ${provider.name}.`
            : "Let members sign in through your identity provider."
        }
        action={
          within(permissions, everyPermission) && (
            <ButtonLink href="/admin/settings/provider" look="plain" size="small">
              {provider ? "Change" : "Set up"}
            </ButtonLink>
          )
        }
      >
        {!within(permissions, everyPermission) && (
          <p>Only members with every permission can change the identity provider.</p>
        )}
      </Section>
      <Section
        title="Delete"
        about={`Readers and members lose access immediately. Everything is permanently deleted after ${DAYS_TO_TAKE_BACK} days.`}
      >
        {within(permissions, administratorPermissions) ? (
          <ButtonLink href="/admin/settings/delete" look="danger">
            Delete knowledge base
          </ButtonLink>
        ) : (
          <p>Only administrators can delete the knowledge base.</p>
        )}
      </Section>
    </AdminPage>
  );
}
