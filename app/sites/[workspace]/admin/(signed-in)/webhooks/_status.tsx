import { Badge } from "@/components/ui/badge";
import type { Delivery } from "@/lib/webhooks/deliveries";
import type { Endpoint, OffBecause } from "@/lib/webhooks/endpoints";

export function WebhookStatus({ webhook }: { webhook: Pick<Endpoint, "active" | "offBecause" | "failingSince"> }) {
  if (!webhook.active) return <Badge tone={webhook.offBecause ? "bad" : "quiet"}>Off</Badge>;
  return webhook.failingSince ? <Badge tone="caution">Failing</Badge> : <Badge tone="good">On</Badge>;
}

export const offReasons: Record<OffBecause, string> = {
  gone: "Lectern switched this webhook off because the receiver responded with 410 Gone.",
  failing: "Lectern switched this webhook off because every delivery failed for 3 days.",
  full: "Lectern switched this webhook off because too many deliveries were waiting.",
};

export function DeliveryStatus({ delivery: { state, attempts } }: { delivery: Pick<Delivery, "state" | "attempts"> }) {
  if (state === "delivered") return <Badge tone="good">Delivered</Badge>;
  if (state === "failed") return <Badge tone="bad">Failed</Badge>;
  return attempts > 0 ? <Badge tone="caution">Retrying</Badge> : <Badge tone="info">Waiting</Badge>;
}

/** The result of the last attempt, in a few words. */
export function resultOf({ status, problem, attempts }: Pick<Delivery, "status" | "problem" | "attempts">): string {
  if (status !== null) return String(status);
  return problem ?? (attempts === 0 ? "Not sent yet" : "No response");
}
