import type { Payload } from "@/lib/jobs";
import type { Mail } from "@/lib/mail/mail";
import type { Settings } from "@/lib/settings/settings";

const reasons: Record<Payload<"webhook_off">["because"], string> = {
  gone: "because the receiver responded with 410 Gone",
  failing: "because every delivery failed for 3 days",
  full: "because too many deliveries were waiting for it",
};

export function webhookOffMail(
  { email, memberName, host, because }: Payload<"webhook_off">,
  workspace: Settings,
): Omit<Mail, "id"> {
  return {
    to: { name: memberName, address: email },
    subject: `A webhook for ${workspace.name} was switched off`,
    paragraphs: [
      `Hello ${memberName},`,
      `Lectern switched off ${workspace.name}'s webhook to ${host} ${reasons[because]}.`,
      "When the receiver works again, switch the webhook on under Settings > Webhooks. You can then resend failed deliveries from the last 14 days.",
    ],
  };
}
