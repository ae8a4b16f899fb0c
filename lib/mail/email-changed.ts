import { workspaceUrl } from "@/lib/http/host";
import type { Payload } from "@/lib/jobs";
import type { Mail } from "@/lib/mail/mail";
import type { Settings } from "@/lib/settings/settings";

type Change = Payload<"email_changed">;

/**
 * Tells one of the two addresses of a change (contract 34). The new one does not learn the old one, since it may be a
 * stranger's by mistake.
 */
export function emailChangedMail(change: Change, workspace: Settings, baseUrl: string): Omit<Mail, "id"> {
  const name = change.memberName;
  const unexpected = `If you didn't expect this, contact ${listed(change.administrators)}.`;
  const link = { label: `Go to ${workspace.name}`, url: workspaceUrl(workspace.subdomain, baseUrl) };
  const passkeys = change.passkeys > 0 ? " Your passkeys were removed." : "";
  const hello = `Hello ${name},`;
  if (change.tell === "former_address") {
    return {
      to: { name, address: change.formerAddress },
      subject: `Your email for ${workspace.name} was changed`,
      paragraphs: [
        hello,
        `Your email for ${workspace.name} was changed to ${change.newAddress} by ${actorOf(change)}. Sign in with ` +
          `the new email from now on. You were signed out everywhere.${passkeys}`,
        unexpected,
      ],
      link,
    };
  }
  return {
    to: { name, address: change.newAddress },
    subject: `This is now your email for ${workspace.name}`,
    paragraphs: [
      hello,
      `Your email for ${workspace.name} was changed to this one by ${actorOf(change)}. Sign in with this email from now ` +
        `on. Your password stays the same.${passkeys}`,
      unexpected,
    ],
    link,
  };
}

function actorOf({ actor }: Change): string {
  if (actor.kind === "command_line") return "an operator on the command line";
  return actor.kind === "api_key" ? "an API key" : actor.name;
}

function listed(administrators: string[]): string {
  if (administrators.length === 0) return "the people who run this knowledge base";
  return `an administrator: ${administrators.join(", ")}`;
}
