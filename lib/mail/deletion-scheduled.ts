import { workspaceUrl } from "@/lib/http/host";
import type { Payload } from "@/lib/jobs";
import type { Mail } from "@/lib/mail/mail";
import type { Settings } from "@/lib/settings/settings";

export function deletionScheduledMail(
  { address, memberName, by, at }: Payload<"deletion_scheduled">,
  workspace: Settings,
  baseUrl: string,
): Omit<Mail, "id"> {
  const when = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });
  return {
    to: { name: memberName, address },
    subject: `${workspace.name} will be deleted`,
    paragraphs: [
      `Hello ${memberName},`,
      `${by} has closed the knowledge base ${workspace.name}. It will be deleted on ${when.format(new Date(at))} UTC, with ` +
        "all its articles, files and members, and nobody can bring it back then.",
      "Until then you can take it back: open the link below and sign in. Everything is as it was then. If it is meant to " +
        "go, there is nothing to do.",
    ],
    link: { label: "Take it back", url: `${workspaceUrl(workspace.subdomain, baseUrl)}/admin/closing` },
  };
}
