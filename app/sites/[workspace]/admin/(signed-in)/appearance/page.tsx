import type { Metadata } from "next";
import { AdminPage } from "@/components/admin/page";
import { UploadForm } from "@/components/admin/upload-form";
import { Button } from "@/components/ui/button";
import { Section } from "@/components/ui/section";
import { sizeOf } from "@/components/ui/size";
import { env } from "@/lib/env";
import { requireMember } from "@/lib/session";
import type { PublicWorkspace } from "@/lib/site";
import { uploadRefusal } from "@/lib/uploads/refusals";
import { type Query, wordOf } from "../../_form";
import { ColorForm } from "./_color";
import { LogoSamples } from "./_sample";
import { submitFormerColor, submitLogo } from "./actions";

export const metadata: Metadata = { title: "Appearance" };

export default async function AppearancePage({ searchParams }: { searchParams: Promise<Query> }) {
  const { workspace } = await requireMember("settings.manage");
  return (
    <AdminPage
      title="Appearance"
      about="Your logo and your colour, on every page that readers and members see. What you save is shown at once."
    >
      <LogoSection workspace={workspace} refused={wordOf((await searchParams).refused)} />
      <Section title="Colour">
        <ColorForm key={workspace.accentColor} saved={workspace.accentColor} name={workspace.name} />
        {workspace.accentColor && (
          <form action={submitFormerColor} className="mt-6">
            <Button type="submit" look="plain">
              Use the product’s own colour
            </Button>
          </form>
        )}
      </Section>
    </AdminPage>
  );
}

function LogoSection({ workspace, refused }: { workspace: PublicWorkspace; refused: string }) {
  const limits = env().uploads;
  const { name, logo, accentColor } = workspace;
  return (
    <Section
      title="Logo"
      about={
        logo
          ? "It stands before the name at the top of every page and on the sign-in, in both themes. Everybody can see it, also where only members may read."
          : "There is none yet: the first letter of the name stands in for it."
      }
    >
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
          hint={`PNG, JPEG, WebP, GIF or AVIF, up to ${sizeOf(limits.imageBytes)}; SVG is not taken, because it can hold scripts. Shown 28 pixels high and up to 112 wide: one that is 112 high looks sharp everywhere. A transparent ground suits both themes.`}
          submit="Upload logo"
          mostBytes={{ bytes: limits.imageBytes, refusal: uploadRefusal("large", "logo", limits) ?? "" }}
          refused={uploadRefusal(refused, "logo", limits) ?? undefined}
        />
      </div>
    </Section>
  );
}
