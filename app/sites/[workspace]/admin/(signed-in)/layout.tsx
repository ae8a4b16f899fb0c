import type { ReactNode } from "react";
import { AdminShell } from "@/components/admin/shell";
import { picturePath } from "@/lib/avatars";
import { requireMember } from "@/lib/session";
import { publicWorkspace } from "@/lib/site";
import { submitSignOut } from "../actions";
import { paletteFor, placesFor } from "./_pages";

/** The frame of what is for members. It proves nothing for its pages: each opens the door itself. */
export default async function SignedInLayout({
  params,
  children,
}: {
  params: Promise<{ workspace: string }>;
  children: ReactNode;
}) {
  const workspace = await publicWorkspace((await params).workspace);
  const member = await requireMember(workspace.subdomain);
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
      signOut={submitSignOut}
    >
      {children}
    </AdminShell>
  );
}
