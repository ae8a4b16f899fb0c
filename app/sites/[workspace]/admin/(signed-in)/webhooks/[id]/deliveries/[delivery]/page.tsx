import type { Metadata } from "next";
import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import { AdminPage } from "@/components/admin/page";
import { Button } from "@/components/ui/button";
import { CodeFrame, CodeText } from "@/components/ui/code-frame";
import { CopyButton } from "@/components/ui/copy-button";
import { formatTime } from "@/components/ui/format-time";
import { Json } from "@/components/ui/json";
import { Section } from "@/components/ui/section";
import { readWorkspace } from "@/lib/db";
import { requireMember } from "@/lib/session";
import { findDelivery } from "@/lib/webhooks/deliveries";
import { nameOf } from "@/lib/webhooks/endpoints";
import { openWebhook } from "../../../_open";
import { DeliveryStatus } from "../../../_status";
import { submitResend } from "../../../actions";

export const metadata: Metadata = { title: "Webhook delivery" };

interface Props {
  params: Promise<{ workspace: string; id: string; delivery: string }>;
}

export default async function DeliveryPage({ params }: Props) {
  const { workspace, member } = await requireMember("keys.manage");
  const { id, delivery: deliveryId } = await params;
  const { webhook, delivery } = await readWorkspace(workspace.id, async (read) => ({
    webhook: await openWebhook(read, id, member.permissions),
    delivery: await findDelivery(read, id, deliveryId),
  }));
  if (!delivery) notFound();
  const { attempts, attemptedAt, tookMs, status, problem, state, dueAt, response } = delivery;
  const time = (at: Date) => formatTime(member.timeZone, at);
  const rows: [name: string, value: ReactNode][] = [
    ["Status", <DeliveryStatus key="status" delivery={delivery} />],
    ["Message ID", <code key="id">{delivery.id}</code>],
    ["Created", time(delivery.createdAt)],
    ["Attempts", attempts],
  ];
  if (attemptedAt) rows.push(["Last attempt", `${time(attemptedAt)}, took ${(tookMs ?? 0).toLocaleString("en")} ms`]);
  if (state === "waiting" && attempts > 0) rows.push(["Next attempt", time(dueAt)]);
  return (
    <AdminPage
      title={delivery.event}
      path={[{ href: `/admin/webhooks/${id}`, name: nameOf(webhook) }]}
      action={
        webhook.active && (
          <form action={submitResend}>
            <input type="hidden" name="id" value={id} />
            <input type="hidden" name="delivery" value={delivery.id} />
            <Button type="submit" look="plain">
              Resend
            </Button>
          </form>
        )
      }
    >
      <dl className="grid gap-x-4 gap-y-1.5 sm:grid-cols-[7.5rem_minmax(0,1fr)]">
        {rows.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-text-muted">{name}</dt>
            <dd className="min-w-0 wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
      <Section title="Request">
        <CodeFrame
          head={
            <>
              <span className="min-w-0 truncate">POST {webhook.url}</span>
              <CopyButton label="Copy body" />
            </>
          }
        >
          <Body text={delivery.body} />
        </CodeFrame>
      </Section>
      <Section title="Response">
        {attempts === 0 && problem === null ? (
          <p className="text-text-muted">Not sent yet.</p>
        ) : (
          <div className="grid gap-3">
            {problem && <p>{problem}</p>}
            {status !== null && (
              <CodeFrame head={<span>HTTP {status}</span>}>
                <CodeText>{response || "No body"}</CodeText>
              </CodeFrame>
            )}
          </div>
        )}
      </Section>
    </AdminPage>
  );
}

function Body({ text }: { text: string }) {
  const value = parsed(text);
  return value === undefined ? <CodeText>{text}</CodeText> : <Json value={value} />;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
