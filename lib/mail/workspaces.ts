import { workspaceUrl } from "@/lib/host";
import type { Mail } from "@/lib/mail";
import type { Settings } from "@/lib/settings";

/**
 * The mail with the knowledge bases of an e-mail address, and where to sign in to each.
 * @param workspaces at least one
 * @param baseUrl scheme, base domain and port of the installation
 */
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
