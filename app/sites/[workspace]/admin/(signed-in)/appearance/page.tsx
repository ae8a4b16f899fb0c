import type { Metadata } from "next";
import { AdminPage, type Told } from "@/components/admin/page";
import { UploadForm } from "@/components/admin/upload-form";
import { Button } from "@/components/ui/button";
import { sizeOf } from "@/components/ui/size";
import { env } from "@/lib/env";
import { requireMember } from "@/lib/session";
import { type PublicWorkspace, publicWorkspace } from "@/lib/site";
import { uploadRefusal } from "@/lib/uploads/refusals";
import { idOf, wordOf } from "../../_form";
import { submitFormerColour, submitLogo } from "./actions";
import { ColourForm } from "./colour";
import { LogoSamples } from "./sample";

export const metadata: Metadata = { title: "Appearance" };

const page = "/admin/appearance";

interface Props {
  params: Promise<{ workspace: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function AppearancePage({ params, searchParams }: Props) {
  const workspace = await publicWorkspace((await params).workspace);
  await requireMember(workspace.subdomain, "settings.manage");
  const asked = await searchParams;
  return (
    <AdminPage
      title="Appearance"
      about="Your logo and your colour, on every page that readers and members see. What you save is shown at once."
      told={toldOf(wordOf(asked.done), wordOf(asked.was))}
    >
      <LogoSection workspace={workspace} refused={wordOf(asked.refused)} />
      <section aria-labelledby="colour" className="mt-10 max-w-[42rem] border-t border-border pt-8">
        <h2 id="colour" className="mb-4 text-base">
          Colour
        </h2>
        <ColourForm key={workspace.accentColor} saved={workspace.accentColor} name={workspace.name} />
        {workspace.accentColor && (
          <form action={submitFormerColour} className="mt-6">
            <Button type="submit" look="plain">
              Use the product’s own colour
            </Button>
          </form>
        )}
      </section>
    </AdminPage>
  );
}

function LogoSection({ workspace, refused }: { workspace: PublicWorkspace; refused: string }) {
  const limits = env().uploads;
  const { name, logo, accentColor } = workspace;
  return (
    <section aria-labelledby="logo" className="max-w-[42rem]">
      <h2 id="logo" className="text-base">
        Logo
      </h2>
      <p className="mt-1.5 text-text-muted">
        {logo
          ? "It stands before the name at the top of every page and on the sign-in, in both themes. Everybody can see it, also where only members may read."
          : "There is none yet: the first letter of the name stands in for it."}
      </p>
      <div className="mt-3">
        <LogoSamples logo={logo} name={name} colour={accentColor} />
      </div>
      {logo && (
        <form action={submitLogo} className="mt-3">
          <Button type="submit" look="plain" size="small">
            Remove logo
          </Button>
        </form>
      )}
      <div className="mt-5">
        <UploadForm
          place={{ as: "logo" }}
          label="New logo"
          hint={`PNG, JPEG, WebP, GIF or AVIF, up to ${sizeOf(limits.imageBytes)}; SVG is not taken, because it can hold scripts. Shown 28 pixels high and up to 112 wide: one that is 112 high looks sharp everywhere. A transparent ground suits both themes.`}
          submit="Upload logo"
          mostBytes={{ bytes: limits.imageBytes, refusal: uploadRefusal("large", "logo", limits) ?? "" }}
          refused={uploadRefusal(refused, "logo", limits) ?? undefined}
        />
      </div>
    </section>
  );
}

const texts: Record<string, string> = {
  logo: "The logo is uploaded, and shown from now on.",
  removed: "The logo is removed.",
  restored: "The logo is back.",
  colour: "The colour is saved, and shown from now on.",
  reset: "The product’s own colour is shown from now on.",
};

function toldOf(done: string, was: string): Told | undefined {
  const text = texts[done];
  if (!text) return undefined;
  const told = { text, close: page };
  if (done === "logo" || done === "removed") {
    const before = idOf(was);
    if (!before && done === "removed") return told;
    return { ...told, undo: <Undo action={submitLogo} name="upload" value={before} /> };
  }
  const colour = /^[0-9a-f]{6}$/.test(was) ? `#${was}` : null;
  if (done === "restored" || (!colour && was !== "none")) return told;
  return { ...told, undo: <Undo action={submitFormerColour} name="colour" value={colour} /> };
}

function Undo({
  action,
  name,
  value,
}: {
  action: (form: FormData) => Promise<void>;
  name: string;
  value: string | null;
}) {
  return (
    <form action={action}>
      {value && <input type="hidden" name={name} value={value} />}
      <Button type="submit" look="plain" size="small">
        Undo
      </Button>
    </form>
  );
}
