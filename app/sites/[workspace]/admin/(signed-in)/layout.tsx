import { cookies, headers } from "next/headers";
import type { ReactNode } from "react";
import { FlashMessage } from "@/components/admin/flash-message";
import { AdminShell } from "@/components/admin/shell";
import { picturePath } from "@/lib/members/avatars";
import { requireMember } from "@/lib/session";
import { requestedFlash } from "../_flash";
import { submitSignOut } from "../actions";
import { paletteFor, placesFor } from "./_pages";
import { UndoForm } from "./_undo";

/** The frame of the pages for members. It checks no access: each page does that itself. */
export default async function SignedInLayout({ children }: { children: ReactNode }) {
  const { workspace, member } = await requireMember();
  const flash = await requestedFlash();
  const here = (await headers()).get("x-requested-path") ?? "/admin";
  return (
    <AdminShell
      workspaceName={workspace.name}
      logo={workspace.logo}
      person={{
        name: `${member.firstName} ${member.lastName}`,
        role: member.role,
        picture: picturePath(member),
      }}
      entries={placesFor(member.permissions).map(({ href, name, group, letter }) => ({ href, name, group, letter }))}
      destinations={paletteFor(member.permissions)}
      isNarrow={(await cookies()).get("menu")?.value === "narrow"}
      signOut={submitSignOut}
    >
      {children}
      {flash && (
        <FlashMessage key={flash.at} text={flash.text} here={here}>
          {flash.undo && <UndoForm undo={flash.undo} query={new URL(here, "http://here").search} />}
        </FlashMessage>
      )}
    </AdminShell>
  );
}
