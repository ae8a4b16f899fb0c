import type { Metadata } from "next";
import { CurrentPassword } from "@/components/admin/current-password";
import { AdminPage } from "@/components/admin/page";
import { ShownOnceForm } from "@/components/admin/shown-once";
import { FormCheck, FormChoice, FormField, FormGroup } from "@/components/ui/form";
import { keyMay } from "@/lib/api-keys/api-keys";
import { everyScope, presets, type Scope, scopes } from "@/lib/api-keys/scopes";
import { within } from "@/lib/members/roles";
import { requireMember } from "@/lib/session";
import { confirmationUnlessFresh } from "../../../_password";
import { submitCreateKey } from "../actions";

export const metadata: Metadata = { title: "Create API key" };

export default async function NewKeyPage() {
  const signed = await requireMember("keys.manage");
  const { member } = signed;
  const mayGive = (wanted: readonly Scope[]) => within(member.permissions, keyMay(wanted));
  const given = everyScope.filter((scope) => mayGive([scope]));
  return (
    <AdminPage title="Create API key">
      <ShownOnceForm
        action={submitCreateKey}
        submit="Create key"
        busy="Creating…"
        cancel="/admin/keys"
        next={{ href: "/admin/keys", name: "Done" }}
      >
        <FormField
          label="Name"
          name="name"
          hint="The app or script that uses this key."
          required
          maxLength={100}
          autoComplete="off"
        />
        <div className="group grid gap-4">
          <FormChoice
            label="Access"
            name="access"
            hint={given.length < everyScope.length && "A key can't do more than your role allows."}
            defaultValue="public"
            options={[
              ...presets
                .filter((preset) => mayGive(preset.scopes))
                .map((preset) => ({ value: preset.scopes.join(" "), name: preset.name })),
              { value: "custom", name: "Custom" },
            ]}
          />
          <div className="hidden group-has-[option[value=custom]:checked]:block">
            <FormGroup name="scope" legend="The key can">
              {given.map((scope) => (
                <FormCheck
                  key={scope}
                  name="scope"
                  value={scope}
                  label={scopes[scope].label}
                  hint={scopes[scope].sentence}
                />
              ))}
            </FormGroup>
          </div>
        </div>
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
        <CurrentPassword {...(await confirmationUnlessFresh(signed))} />
      </ShownOnceForm>
    </AdminPage>
  );
}
