import type { Payload } from "@/lib/jobs";
import type { Mail } from "@/lib/mail/mail";
import type { Settings } from "@/lib/settings/settings";

// These mails contain no links, so that people learn to distrust similar mails that do.

export function newSignInMail(
  { email, memberName, device, ip, at }: Payload<"new_sign_in">,
  workspace: Settings,
): Omit<Mail, "id"> {
  const when = new Intl.DateTimeFormat("en", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });
  return {
    to: { name: memberName, address: email },
    subject: `New sign-in to ${workspace.name}`,
    paragraphs: [
      `Hello ${memberName},`,
      `Someone signed in to ${workspace.name} with your password from a browser you haven't used there before: ` +
        `${device}${ip ? `, IP address ${ip}` : ""}, ${when.format(new Date(at))} UTC.`,
      "If this was you, you can ignore this email. If not, change your password immediately, which signs you out on all other devices.",
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
