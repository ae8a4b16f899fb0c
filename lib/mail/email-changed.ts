import { workspaceUrl } from "@/lib/host";
import type { Payload } from "@/lib/jobs";
import type { Mail } from "@/lib/mail";
import type { Settings } from "@/lib/settings";

type Change = Payload<"email_changed">;

/**
 * The mail that tells one of the two addresses of a change of a member's address (contract 34). The new address does
 * not learn the former one: it may be a stranger's by mistake.
 * @param baseUrl scheme, base domain and port of the installation
 */
export function emailChangedMail(change: Change, workspace: Settings, baseUrl: string): Omit<Mail, "id"> {
  const name = change.memberName;
  const unexpected = `If that was not expected, tell ${listed(change.administrators)}.`;
  const link = { label: `Go to ${workspace.name}`, url: workspaceUrl(workspace.subdomain, baseUrl) };
  const hello = `Hello ${name},`;
  if (change.tell === "former_address") {
    return {
      to: { name, address: change.formerAddress },
      subject: `Your address at ${workspace.name} was changed`,
      paragraphs: [
        hello,
        `Your address at ${workspace.name} was changed to ${change.newAddress}, by ${actorOf(change)}. You sign in with ` +
          "the new address from now on, and were signed out everywhere.",
        unexpected,
      ],
      link,
    };
  }
  return {
    to: { name, address: change.newAddress },
    subject: `This is now your address at ${workspace.name}`,
    paragraphs: [
      hello,
      `This is now your address at ${workspace.name}. It was changed by ${actorOf(change)}. You sign in with it from now ` +
        "on, and your password is the same as before.",
      unexpected,
    ],
    link,
  };
}

function actorOf({ actor }: Change): string {
  if (actor.kind === "command_line") return "an operator at the command line";
  return actor.kind === "api_key" ? `the API key ${actor.name}` : actor.name;
}

/** "an administrator: Ada Admin, Bob Boss", or whoever there is when a workspace has nobody else. */
function listed(administrators: string[]): string {
  if (administrators.length === 0) return "those who run this knowledge base";
  return `an administrator: ${administrators.join(", ")}`;
}
