import { z } from "zod";
import type { Member } from "@/lib/members";
import type { Addresses } from "./addresses";

export const TeamMember = z.object({
  id: z.guid(),
  email: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  time_zone: z.string().describe("An IANA time zone, such as Europe/Berlin."),
  profile_image_url: z.url().nullable(),
  active: z.boolean(),
  organization_role: z.string().describe("The exact name of one of the workspace's roles."),
});

export function memberShape(member: Member, addresses: Addresses): z.input<typeof TeamMember> {
  return {
    id: member.id,
    email: member.email,
    first_name: member.firstName,
    last_name: member.lastName,
    time_zone: member.timeZone,
    profile_image_url: member.pictureUploadId && addresses.upload(member.pictureUploadId),
    active: member.active,
    organization_role: member.role,
  };
}
