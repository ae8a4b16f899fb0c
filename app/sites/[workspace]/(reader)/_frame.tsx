import type { ComponentProps } from "react";
import { ReaderFrame } from "@/components/reader/frame";
import { currentMember } from "@/lib/session";
import { submitSignOut } from "./actions";

/** Shows members their name. Pages cached for everyone have no name. */
export async function Frame(props: Omit<ComponentProps<typeof ReaderFrame>, "member" | "signOut">) {
  const member = await currentMember(props.workspace.subdomain);
  const name = member && `${member.firstName} ${member.lastName}`;
  return <ReaderFrame {...props} member={name} signOut={submitSignOut} />;
}
