import { z } from "zod";
import type { Member } from "@/lib/members/members";
import type { Urls } from "./urls";

export const TeamMember = z
  .object({
    id: z.guid().describe("The member's ID, which never changes."),
    email: z.string().describe("The email, unique in the workspace regardless of case."),
    first_name: z.string().describe("The first name."),
    last_name: z.string().describe("The last name."),
    time_zone: z.string().describe("An IANA time zone, such as `Europe/Berlin`."),
    profile_image_url: z.url().nullable().describe("The absolute URL of the picture, or null."),
    active: z.boolean().describe("Whether the member can sign in. Deactivated members stay in the list."),
    organization_role: z.string().describe("The exact name of a role of the workspace, including case."),
  })
  .meta({ id: "TeamMember", description: "A person who works on the knowledge base." });

export function memberShape(member: Member, urls: Urls): z.input<typeof TeamMember> {
  return {
    id: member.id,
    email: member.email,
    first_name: member.firstName,
    last_name: member.lastName,
    time_zone: member.timeZone,
    profile_image_url: member.pictureUploadId && urls.upload(member.pictureUploadId),
    active: member.active,
    organization_role: member.role,
  };
}
