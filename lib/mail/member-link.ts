import { workspaceUrl } from "@/lib/http/host";
import type { Payload } from "@/lib/jobs";
import type { Mail } from "@/lib/mail/mail";
import type { Settings } from "@/lib/settings/settings";

interface LinkMail {
  member: { email: string; firstName: string; lastName: string };
  token: string;
  minutes: number;
}

const nameOf = ({ member }: LinkMail) => `${member.firstName} ${member.lastName}`;
const unasked = "Didn't request this? You can ignore this email.";

// Tokens are in the query, whose values the log does not keep.

/** @param to a path on the workspace's host that the link continues to */
export function signInMail(
  mail: LinkMail & { to: string | null },
  workspace: Settings,
  baseUrl: string,
): Omit<Mail, "id"> {
  const query = new URLSearchParams({ token: mail.token, ...(mail.to && { to: mail.to }) });
  return {
    to: { name: nameOf(mail), address: mail.member.email },
    subject: `Sign in to ${workspace.name}`,
    paragraphs: [
      `Hello ${nameOf(mail)},`,
      `Open the link below to sign in to ${workspace.name}. The link works once and expires in ${mail.minutes} minutes.`,
      unasked,
    ],
    link: { label: "Sign in", url: `${workspaceUrl(workspace.subdomain, baseUrl)}/admin/sign-in/link?${query}` },
  };
}

export function passwordResetMail(mail: LinkMail, workspace: Settings, baseUrl: string): Omit<Mail, "id"> {
  return {
    to: { name: nameOf(mail), address: mail.member.email },
    subject: `Set your password for ${workspace.name}`,
    paragraphs: [
      `Hello ${nameOf(mail)},`,
      `Open the link below to choose a password for ${workspace.name}. The link works once and expires in ${mail.minutes} minutes. ` +
        "Choosing a password signs you out on all other devices and removes your passkeys.",
      unasked,
    ],
    link: {
      label: "Choose a password",
      url: `${workspaceUrl(workspace.subdomain, baseUrl)}/admin/sign-in/password?token=${mail.token}`,
    },
  };
}

/** Goes to the new email, and does not name the old one. */
export function emailConfirmationMail(
  mail: LinkMail & { newEmail: string },
  workspace: Settings,
  baseUrl: string,
): Omit<Mail, "id"> {
  return {
    to: { name: nameOf(mail), address: mail.newEmail },
    subject: `Confirm your email for ${workspace.name}`,
    paragraphs: [
      `Hello ${nameOf(mail)},`,
      `To make this your email for ${workspace.name}, open the link below in a browser where you are signed in. The ` +
        `link works once and expires in ${mail.minutes} minutes.`,
      unasked,
    ],
    link: {
      label: "Confirm email",
      url: `${workspaceUrl(workspace.subdomain, baseUrl)}/admin/account/email?token=${mail.token}`,
    },
  };
}

export function passwordChangedMail(
  mail: Payload<"password_changed">,
  workspace: Settings,
  baseUrl: string,
): Omit<Mail, "id"> {
  return {
    to: { name: mail.memberName, address: mail.email },
    subject: `Your password for ${workspace.name} was changed`,
    paragraphs: [
      `Hello ${mail.memberName},`,
      `Your password for ${workspace.name} was changed, and you were signed out on all other devices.${mail.passkeys > 0 ? " Your passkeys were removed." : ""}`,
      "If that wasn't you, use the link below to choose another password immediately, and contact an administrator.",
    ],
    link: {
      label: "Choose another password",
      url: `${workspaceUrl(workspace.subdomain, baseUrl)}/admin/sign-in/password`,
    },
  };
}
