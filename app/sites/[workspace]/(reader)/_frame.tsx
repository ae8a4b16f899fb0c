import type { ComponentProps } from "react";
import { ReaderFrame } from "@/components/reader/frame";
import { currentMember } from "@/lib/session";
import { submitSignOut } from "./actions";

/** The frame of every page for readers, which says to members who they are: what is kept for everybody has none of that. */
export async function Frame(props: Omit<ComponentProps<typeof ReaderFrame>, "member" | "signOut">) {
  const member = await currentMember(props.workspace.subdomain);
  const name = member && `${member.firstName} ${member.lastName}`;
  return <ReaderFrame {...props} member={name} signOut={submitSignOut} />;
}
