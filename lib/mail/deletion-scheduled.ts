import { workspaceUrl } from "@/lib/http/host";
import type { Payload } from "@/lib/jobs";
import type { Mail } from "@/lib/mail/mail";
import type { Settings } from "@/lib/settings/settings";

export function deletionScheduledMail(
  { email, memberName, by, at }: Payload<"deletion_scheduled">,
  workspace: Settings,
  baseUrl: string,
): Omit<Mail, "id"> {
  const when = new Intl.DateTimeFormat("en", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });
  return {
    to: { name: memberName, address: email },
    subject: `${workspace.name} will be deleted`,
    paragraphs: [
      `Hello ${memberName},`,
      `${by} scheduled the knowledge base ${workspace.name} for deletion. It will be deleted on ${when.format(new Date(at))} UTC with ` +
        "all its articles, files, and members. After that, it can't be restored.",
      "Until then, you can restore it exactly as it was. Open the link below and sign in. If you want it deleted, you " +
        "don't need to do anything.",
    ],
    link: { label: "Restore knowledge base", url: `${workspaceUrl(workspace.subdomain, baseUrl)}/admin/closing` },
  };
}
