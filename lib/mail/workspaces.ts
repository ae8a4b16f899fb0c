import { workspaceUrl } from "@/lib/http/host";
import type { Mail } from "@/lib/mail/mail";
import type { Settings } from "@/lib/settings/settings";

export function workspacesMail(address: string, workspaces: Settings[], baseUrl: string): Omit<Mail, "id"> {
  return {
    to: { name: address, address },
    subject: "Your knowledge bases",
    paragraphs: [
      "Hello,",
      `Someone, probably you, asked for the knowledge bases that ${address} belongs to. Sign in here:`,
      ...workspaces.map(({ name, subdomain }) => `${name}: ${workspaceUrl(subdomain, baseUrl)}/admin`),
      "Didn't request this? You can ignore this email. Only you received it.",
    ],
  };
}
