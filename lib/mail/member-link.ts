import { workspaceUrl } from "@/lib/host";
import type { Mail } from "@/lib/mail";
import type { Settings } from "@/lib/settings";

interface Told {
  member: { email: string; firstName: string; lastName: string };
  token: string;
  /** How long the link is good for. */
  minutes: number;
}

const nameOf = ({ member }: Told) => `${member.firstName} ${member.lastName}`;
const unasked = "If you did not ask for it, leave it: nothing happens without you.";

// In each of them the token is in the query, whose values the log does not keep.

/**
 * The mail whose link signs somebody in.
 * @param to where it leads on to: an address on the workspace's host
 */
export function signInMail(told: Told & { to: string | null }, workspace: Settings, baseUrl: string): Omit<Mail, "id"> {
  const query = new URLSearchParams({ token: told.token, ...(told.to && { to: told.to }) });
  return {
    to: { name: nameOf(told), address: told.member.email },
    subject: `Sign in to ${workspace.name}`,
    paragraphs: [
      `Hello ${nameOf(told)},`,
      `Open the link below to sign in to ${workspace.name}. It works once, and for ${told.minutes} minutes.`,
      unasked,
    ],
    link: { label: "Sign in", url: `${workspaceUrl(workspace.subdomain, baseUrl)}/admin/sign-in/link?${query}` },
  };
}

/** The mail whose link leads to a new password. */
export function passwordResetMail(told: Told, workspace: Settings, baseUrl: string): Omit<Mail, "id"> {
  return {
    to: { name: nameOf(told), address: told.member.email },
    subject: `Set your password at ${workspace.name}`,
    paragraphs: [
      `Hello ${nameOf(told)},`,
      `Open the link below to choose a password for ${workspace.name}. It works once, and for ${told.minutes} minutes. ` +
        "Whoever is signed in with your account elsewhere is then signed out.",
      unasked,
    ],
    link: {
      label: "Choose a password",
      url: `${workspaceUrl(workspace.subdomain, baseUrl)}/admin/sign-in/password?token=${told.token}`,
    },
  };
}

/** The mail that goes to another address of a member's, to prove that it is theirs. It names no former one. */
export function emailConfirmationMail(
  told: Told & { newEmail: string },
  workspace: Settings,
  baseUrl: string,
): Omit<Mail, "id"> {
  return {
    to: { name: nameOf(told), address: told.newEmail },
    subject: `Confirm your address at ${workspace.name}`,
    paragraphs: [
      `Hello ${nameOf(told)},`,
      `Open the link below, in a browser where you are signed in, to make this your address at ${workspace.name}. It ` +
        `works once, and for ${told.minutes} minutes.`,
      unasked,
    ],
    link: {
      label: "Confirm the address",
      url: `${workspaceUrl(workspace.subdomain, baseUrl)}/admin/account/email?token=${told.token}`,
    },
  };
}

/** The mail that tells a member of a changed password. */
export function passwordChangedMail(
  told: { email: string; memberName: string },
  workspace: Settings,
  baseUrl: string,
): Omit<Mail, "id"> {
  return {
    to: { name: told.memberName, address: told.email },
    subject: `Your password at ${workspace.name} was changed`,
    paragraphs: [
      `Hello ${told.memberName},`,
      `Your password at ${workspace.name} was changed, and all other browsers were signed out.`,
      "If that was not you, choose another password at once by the link below, and tell an administrator.",
    ],
    link: {
      label: "Choose another password",
      url: `${workspaceUrl(workspace.subdomain, baseUrl)}/admin/sign-in/password`,
    },
  };
}
