import { workspaceUrl } from "@/lib/http/host";
import type { Mail } from "@/lib/mail/mail";
import type { Settings } from "@/lib/settings/settings";

export function workspacesMail(address: string, workspaces: Settings[], baseUrl: string): Omit<Mail, "id"> {
  return {
    to: { name: address, address },
    subject: "Your knowledge bases",
    paragraphs: [
      "Hello,",
      `Somebody, probably you, asked where ${address} is a member. You sign in here:`,
      ...workspaces.map(({ name, subdomain }) => `${name}: ${workspaceUrl(subdomain, baseUrl)}/admin`),
      "If you did not ask, there is nothing to do: nobody else was told.",
    ],
  };
}
