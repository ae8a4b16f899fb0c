import { workspaceUrl } from "@/lib/http/host";
import type { Mail } from "@/lib/mail/mail";
import type { Settings } from "@/lib/settings/settings";

export function invitationMail(
  { email, invitedBy, token, days }: { email: string; invitedBy: string; token: string; days: number },
  workspace: Settings,
  baseUrl: string,
): Omit<Mail, "id"> {
  return {
    to: { name: email, address: email },
    subject: `You're invited to ${workspace.name}`,
    paragraphs: [
      "Hello,",
      `${invitedBy} invited you to the knowledge base ${workspace.name}.`,
      `Open the link below within ${days} days to enter your name and choose a password. The link works once.`,
      "Not expecting this? You can ignore this email.",
    ],
    link: {
      label: "Accept invitation",
      // The log keeps no values of a query.
      url: `${workspaceUrl(workspace.subdomain, baseUrl)}/admin/invitation?token=${token}`,
    },
  };
}
