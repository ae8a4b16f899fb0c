import { notFound } from "next/navigation";
import { permissions, within } from "@/lib/members/roles";
import { requireMember } from "@/lib/session";

/** Only for members with every permission, because the person who controls the provider can sign in as any member. */
export async function providerDoor() {
  const signed = await requireMember("settings.manage");
  return within(signed.member.permissions, permissions) ? signed : notFound();
}
