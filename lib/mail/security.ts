import type { Payload } from "@/lib/jobs";
import type { Mail } from "@/lib/mail/mail";
import type { Settings } from "@/lib/settings/settings";

// These mails contain no links, so that people learn to distrust similar mails that do.

export function newSignInMail(
  { email, memberName, by, device, ip, at }: Payload<"new_sign_in">,
  workspace: Settings,
): Omit<Mail, "id"> {
  const { how, remedy } = signInsBy[by];
  const when = new Intl.DateTimeFormat("en", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });
  return {
    to: { name: memberName, address: email },
    subject: `New sign-in to ${workspace.name}`,
    paragraphs: [
      `Hello ${memberName},`,
      `Someone signed in to ${workspace.name} ${how} from a browser you haven't used there before: ` +
        `${device}${ip ? `, IP address ${ip}` : ""}, ${when.format(new Date(at))} UTC.`,
      `If this was you, you can ignore this email. If not, ${remedy}`,
    ],
  };
}

const signInsBy = {
  password: {
    how: "with your password",
    remedy: "change your password immediately, which signs you out on all other devices.",
  },
  identity_provider: {
    how: "through your identity provider",
    remedy: "secure your account there, then choose Sign out everywhere on the Password and sessions page.",
  },
  passkey: {
    how: "with one of your passkeys",
    remedy: "remove any passkey you don't recognize and choose Sign out everywhere on the Password and sessions page.",
  },
} as const;

const twoStepChanges = {
  on: {
    is: "is now on",
    said: () => "Two-step verification is now on for your account. Signing in now requires a code.",
  },
  off: {
    is: "is now off",
    said: () => "Two-step verification is now off for your account. Signing in no longer requires a code.",
  },
  reset: {
    is: "was reset",
    said: (by: string) => `${by} reset two-step verification for your account. Signing in no longer requires a code.`,
  },
  codes: {
    is: "has new recovery codes",
    said: () => "Your account has new recovery codes for two-step verification. The old codes no longer work.",
  },
} as const;

export function twoStepChangedMail(
  { email, memberName, change, by }: Payload<"two_step_changed">,
  workspace: Settings,
): Omit<Mail, "id"> {
  const { is, said } = twoStepChanges[change];
  return {
    to: { name: memberName, address: email },
    subject: `Two-step verification for ${workspace.name} ${is}`,
    paragraphs: [
      `Hello ${memberName},`,
      said(by),
      "If you didn't expect this, change your password immediately and contact an administrator.",
    ],
  };
}

export function passkeysChangedMail(
  { email, memberName, change, passkeys, by }: Payload<"passkeys_changed">,
  workspace: Settings,
): Omit<Mail, "id"> {
  const isOne = passkeys.length === 1;
  const what = `${isOne ? "passkey" : "passkeys"} ${passkeys.map((name) => `“${name}”`).join(", ")}`;
  const isAdded = change === "added";
  const done = isAdded ? "added to" : "removed from";
  const can = isAdded ? "can be used to sign in without a password or code" : "can no longer be used to sign in";
  return {
    to: { name: memberName, address: email },
    subject: isAdded
      ? `New passkey for ${workspace.name}`
      : `${isOne ? "Passkey" : "Passkeys"} removed from ${workspace.name}`,
    paragraphs: [
      `Hello ${memberName},`,
      (by
        ? `${by} ${isAdded ? "added" : "removed"} the ${what} ${isAdded ? "to" : "from"} your account.`
        : `The ${what} ${isOne ? "was" : "were"} ${done} your account.`) + ` ${isOne ? "It" : "They"} ${can}.`,
      isAdded
        ? "If you didn't expect this, remove the passkey on the Password and sessions page and change your password immediately."
        : "If you didn't expect this, change your password immediately and contact an administrator.",
    ],
  };
}

export function keyCreatedMail(
  { email, memberName, by, keyName, lastFour, access }: Payload<"key_created">,
  workspace: Settings,
): Omit<Mail, "id"> {
  return {
    to: { name: memberName, address: email },
    subject: `New API key for ${workspace.name}`,
    paragraphs: [
      `Hello ${memberName},`,
      `${by} created the API key ${keyName}, which ends in ${lastFour}. It can ${access}.`,
      "If you didn't expect this, revoke the key on the API keys page.",
    ],
  };
}

const subjects = { added: "added to", changed: "changed for", removed: "removed from" } as const;

export function identityProviderChangedMail(
  { email, memberName, by, change, providerName }: Payload<"identity_provider_changed">,
  workspace: Settings,
): Omit<Mail, "id"> {
  return {
    to: { name: memberName, address: email },
    subject: `Identity provider ${subjects[change]} ${workspace.name}`,
    paragraphs: [
      `Hello ${memberName},`,
      `${by} ${change} the identity provider ${providerName}. ` +
        (change === "removed"
          ? "Members now sign in with a password, a passkey, or an email link."
          : "The provider can sign in any member who doesn't use two-step verification."),
      "If you didn't expect this, check the identity provider in the settings and contact the other administrators.",
    ],
  };
}
