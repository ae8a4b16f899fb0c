import type { Metadata } from "next";
import Link from "next/link";
import type { ReactNode } from "react";
import { ListPage } from "@/components/admin/list-page";
import { Button } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/button-link";
import { Confirm } from "@/components/ui/confirm";
import { Filter, FilterChoice } from "@/components/ui/filter";
import { Moment } from "@/components/ui/moment";
import { Select } from "@/components/ui/select";
import { Table } from "@/components/ui/table";
import { readWorkspace } from "@/lib/db";
import { requireMember } from "@/lib/session";
import { type Delivery, listDeliveries } from "@/lib/webhooks/deliveries";
import { type Endpoint, nameOf } from "@/lib/webhooks/endpoints";
import { pageAddress, pageOf, type Query, wordOf } from "../../../_form";
import { openWebhook } from "../_open";
import { DeliveryStatus, offReasons, resultOf, WebhookStatus } from "../_status";
import {
  submitDeleteWebhook,
  submitResend,
  submitResendFailed,
  submitSwitchWebhook,
  submitTestWebhook,
} from "../actions";

export const metadata: Metadata = { title: "Webhook" };

const SIZE = 25;

const states: { value: Delivery["state"]; name: string }[] = [
  { value: "failed", name: "Failed" },
  { value: "waiting", name: "Waiting or retrying" },
  { value: "delivered", name: "Delivered" },
];

interface Props {
  params: Promise<{ workspace: string; id: string }>;
  searchParams: Promise<Query>;
}

export default async function WebhookPage({ params, searchParams }: Props) {
  const { workspace, member } = await requireMember("keys.manage");
  const { id } = await params;
  const query = await searchParams;
  const page = pageOf(query.page);
  const state = states.find(({ value }) => value === wordOf(query.state))?.value;
  const { webhook, deliveries, total } = await readWorkspace(workspace.id, async (read) => ({
    webhook: await openWebhook(read, id, member.permissions),
    ...(await listDeliveries(read, id, { state, limit: SIZE, offset: (page - 1) * SIZE })),
  }));
  const now = new Date();
  const moment = (at: Date) => <Moment at={at} now={now} timeZone={member.timeZone} />;
  const path = `/admin/webhooks/${id}`;
  return (
    <ListPage
      title={nameOf(webhook)}
      about={<code className="wrap-anywhere">{webhook.url}</code>}
      action={webhook.active ? <Send id={id} /> : <Switch id={id} on label="Switch on" />}
      above={<Facts webhook={webhook} moment={moment} />}
      list={{
        page,
        size: SIZE,
        total,
        shown: deliveries.length,
        address: (at) => pageAddress(path, { state }, at),
      }}
      isFiltered={state !== undefined}
      filter={
        <div className="flex flex-wrap items-start justify-between gap-x-4">
          <Filter action={path} isFiltered={state !== undefined}>
            <FilterChoice label="Status" name="state" value={state ?? ""} any="Any status" options={states} />
          </Filter>
          {webhook.active && <ResendFailed id={id} />}
        </div>
      }
      empty={{ title: "No deliveries", text: <p>Deliveries from the last 14 days appear here.</p> }}
      unmatched={{
        title: "No deliveries found",
        text: <p>Try another status.</p>,
        all: { href: path, name: "Show all deliveries" },
      }}
    >
      <Table
        label="Deliveries"
        columns={["Event", "Status", "Response", "Duration", "Attempts", "Created", ""]}
        rows={deliveries.map((delivery) => ({
          key: delivery.id,
          cells: [
            <Link key="event" href={`${path}/deliveries/${delivery.id}`} prefetch={false} className="font-medium">
              <code>{delivery.event}</code>
            </Link>,
            <DeliveryStatus key="status" delivery={delivery} />,
            <span key="result" className={delivery.state === "delivered" ? "" : "text-text-muted"}>
              {resultOf(delivery)}
            </span>,
            delivery.tookMs === null ? "–" : `${delivery.tookMs.toLocaleString("en")} ms`,
            delivery.attempts,
            moment(delivery.createdAt),
            webhook.active && <Resend key="resend" id={id} delivery={delivery} />,
          ],
        }))}
      />
    </ListPage>
  );
}

function Send({ id }: { id: string }) {
  return (
    <form action={submitTestWebhook}>
      <input type="hidden" name="id" value={id} />
      <Button type="submit">Send test</Button>
    </form>
  );
}

function Switch({ id, on = false, label }: { id: string; on?: boolean; label: string }) {
  return (
    <form action={submitSwitchWebhook}>
      <input type="hidden" name="id" value={id} />
      <input type="hidden" name="on" value={on ? "yes" : "no"} />
      <Button type="submit" look={on ? "primary" : "plain"} size={on ? "normal" : "small"}>
        {label}
      </Button>
    </form>
  );
}

function Facts({ webhook, moment }: { webhook: Endpoint; moment: (at: Date) => ReactNode }) {
  const { id, events, active, offBecause, failingSince, formerUntil, createdAt, createdByName } = webhook;
  const rows: [name: string, value: ReactNode][] = [
    [
      "Status",
      <span key="status" className="flex flex-wrap items-center gap-x-2.5">
        <WebhookStatus webhook={webhook} />
        {offBecause && offReasons[offBecause]}
        {active && failingSince && <span className="text-text-muted">First failed {moment(failingSince)}</span>}
      </span>,
    ],
    ["Events", <code key="events">{events.join(", ")}</code>],
    [
      "Created",
      <span key="created">
        {moment(createdAt)}
        {createdByName && ` by ${createdByName}`}
      </span>,
    ],
  ];
  if (formerUntil)
    rows.splice(2, 0, [
      "Secret",
      <span key="secret">Requests are also signed with the old secret until {moment(formerUntil)}</span>,
    ]);
  return (
    <div className="mb-8 grid gap-4">
      <dl className="grid gap-x-4 gap-y-1.5 sm:grid-cols-[6rem_minmax(0,1fr)]">
        {rows.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-text-muted">{name}</dt>
            <dd className="min-w-0 wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
      <div className="flex flex-wrap gap-2">
        <ButtonLink href={`/admin/webhooks/${id}/edit`} look="plain" size="small">
          Edit
        </ButtonLink>
        <ButtonLink href={`/admin/webhooks/${id}/rotate`} look="plain" size="small">
          Rotate secret
        </ButtonLink>
        {active && <Switch id={id} label="Switch off" />}
        <Confirm
          id="delete"
          label="Delete"
          look="danger"
          title={`Delete “${nameOf(webhook)}”?`}
          yes="Delete webhook"
          action={submitDeleteWebhook}
          fields={{ id }}
        >
          <p>The webhook's deliveries will be deleted too. The deletion can't be undone.</p>
        </Confirm>
      </div>
    </div>
  );
}

function ResendFailed({ id }: { id: string }) {
  return (
    <form action={submitResendFailed} className="mb-3 flex items-center gap-2 py-1 md:mb-4 md:py-0">
      <input type="hidden" name="id" value={id} />
      <Select
        fit
        size="medium"
        aria-label="Failed deliveries"
        name="hours"
        defaultValue="24"
        options={[
          { value: "1", name: "Failed, from the last hour" },
          { value: "24", name: "Failed, from the last day" },
          { value: "72", name: "Failed, from the last 3 days" },
          { value: "336", name: "All failed" },
        ]}
      />
      <Button type="submit" look="plain" size="small">
        Resend
      </Button>
    </form>
  );
}

function Resend({ id, delivery }: { id: string; delivery: Delivery }) {
  return (
    <form action={submitResend} className="flex md:justify-end">
      <input type="hidden" name="id" value={id} />
      <input type="hidden" name="delivery" value={delivery.id} />
      <Button type="submit" look="plain" size="small" aria-label={`Resend ${delivery.event}`}>
        Resend
      </Button>
    </form>
  );
}
