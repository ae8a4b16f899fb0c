import type { Metadata } from "next";
import { AdminPage } from "@/components/admin/page";
import { UploadForm } from "@/components/admin/upload-form";
import { Button } from "@/components/ui/button";
import { Form, FormField } from "@/components/ui/form";
import { Section } from "@/components/ui/section";
import { sizeOf } from "@/components/ui/size";
import { env } from "@/lib/env";
import { requireMember } from "@/lib/session";
import { MOST_HEADER_LINKS } from "@/lib/settings/site-fields";
import type { PublicWorkspace } from "@/lib/site";
import { uploadRefusal } from "@/lib/uploads/refusals";
import { type Query, wordOf } from "../../_form";
import { ColorForm } from "./_color";
import { LogoSamples } from "./_sample";
import { submitFormerColor, submitLogo, submitSite } from "./actions";

export const metadata: Metadata = { title: "Appearance" };

export default async function AppearancePage({ searchParams }: { searchParams: Promise<Query> }) {
  const { workspace } = await requireMember("settings.manage");
  return (
    <AdminPage title="Appearance">
      <LogoSection workspace={workspace} refused={wordOf((await searchParams).refused)} />
      <Section title="Color">
        <ColorForm key={workspace.accentColor} saved={workspace.accentColor} name={workspace.name} />
        {workspace.accentColor && (
          <form action={submitFormerColor} className="mt-6">
            <Button type="submit" look="plain">
              Reset to default
            </Button>
          </form>
        )}
      </Section>
      <Section title="Site">
        <SiteForm workspace={workspace} />
      </Section>
    </AdminPage>
  );
}

function SiteForm({ workspace }: { workspace: PublicWorkspace }) {
  const { name, homeHeadline, homeText, contact, headerLinks } = workspace;
  return (
    <Form action={submitSite} submit="Save site" busy="Saving…">
      <FormField
        label="Home page headline"
        name="headline"
        defaultValue={homeHeadline ?? ""}
        placeholder={name}
        maxLength={100}
        autoComplete="off"
      />
      <FormField
        label="Home page text"
        name="text"
        hint="One sentence below the headline."
        defaultValue={homeText ?? ""}
        maxLength={300}
        autoComplete="off"
      />
      <FormField
        label="Contact"
        name="contact"
        hint="Email or URL for readers who can't find an answer."
        defaultValue={contact ?? ""}
        maxLength={500}
        autoComplete="off"
      />
      <fieldset className="grid gap-3">
        <legend className="mb-1.5 font-medium">Header links</legend>
        {Array.from({ length: MOST_HEADER_LINKS }, (_, index) => (
          <div key={index} className="grid gap-3 sm:grid-cols-[9rem_minmax(0,1fr)]">
            <FormField
              label={`Label ${index + 1}`}
              name={`label${index + 1}`}
              defaultValue={headerLinks[index]?.label ?? ""}
              maxLength={30}
              autoComplete="off"
            />
            <FormField
              label={`URL ${index + 1}`}
              name={`url${index + 1}`}
              defaultValue={headerLinks[index]?.url ?? ""}
              maxLength={500}
              autoComplete="off"
            />
          </div>
        ))}
      </fieldset>
    </Form>
  );
}

function LogoSection({ workspace, refused }: { workspace: PublicWorkspace; refused: string }) {
  const limits = env().uploads;
  const { name, logo, accentColor } = workspace;
  return (
    <Section title="Logo" about={logo ? "Shown in the header and on the sign-in page." : "No logo yet."}>
      <div className="max-w-[42rem]">
        <LogoSamples logo={logo} name={name} color={accentColor} />
      </div>
      {logo && (
        <form action={submitLogo} className="mt-3">
          <Button type="submit" look="plain" size="small">
            Remove logo
          </Button>
        </form>
      )}
      <div className="mt-5 max-w-[42rem]">
        <UploadForm
          place={{ as: "logo" }}
          label="New logo"
          hint={`PNG, JPEG, WebP, GIF, or AVIF, up to ${sizeOf(limits.imageBytes)}. A height of at least 112 px looks sharp.`}
          submit="Upload logo"
          mostBytes={{ bytes: limits.imageBytes, refusal: uploadRefusal("large", "logo", limits) ?? "" }}
          refused={uploadRefusal(refused, "logo", limits) ?? undefined}
        />
      </div>
    </Section>
  );
}
