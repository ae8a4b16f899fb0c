import type { ComponentProps } from "react";
import { pageNonce } from "@/app/_nonce";
import { ReaderFrame } from "@/components/reader/frame";
import type { Permission } from "@/lib/members/roles";
import { wordsFor } from "@/lib/reader/words";
import { currentMember } from "@/lib/session";
import { contactLink } from "@/lib/settings/site-fields";
import { submitSignOut } from "./actions";

type Shown = Omit<ComponentProps<typeof ReaderFrame>, "words" | "contact" | "member" | "signOut" | "nonce" | "edit">;

/**
 * Shows members their name, and where they edit the page. Pages kept for everyone have neither.
 * @param edit the page's admin path, and the permission it needs
 */
export async function Frame({ edit, ...props }: Shown & { edit?: { path: string; permission: Permission } }) {
  const { workspace } = props;
  const member = await currentMember(workspace.subdomain);
  const name = member && `${member.firstName} ${member.lastName}`;
  return (
    <ReaderFrame
      {...props}
      words={wordsFor(workspace.language)}
      contact={contactLink(workspace.contact)}
      edit={edit && member?.permissions.includes(edit.permission) ? edit.path : undefined}
      member={name}
      signOut={submitSignOut}
      nonce={await pageNonce()}
    />
  );
}
