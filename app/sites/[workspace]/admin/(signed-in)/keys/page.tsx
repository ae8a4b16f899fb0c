import type { Metadata } from "next";
import type { ReactNode } from "react";
import { ListPage } from "@/components/admin/list-page";
import { Badge } from "@/components/ui/badge";
import { ButtonLink } from "@/components/ui/button-link";
import { Confirm } from "@/components/ui/confirm";
import { Moment } from "@/components/ui/moment";
import { Table } from "@/components/ui/table";
import { type ApiKey, keyMay, listApiKeys } from "@/lib/api-keys/api-keys";
import { presetOf, scopes } from "@/lib/api-keys/scopes";
import { readWorkspace } from "@/lib/db";
import { within } from "@/lib/members/roles";
import { requireMember } from "@/lib/session";
import { pageAddress, pageOf, type Query } from "../../_form";
import { submitRevokeKey } from "./actions";

export const metadata: Metadata = { title: "API keys" };

const SIZE = 25;

export default async function KeysPage({ searchParams }: { searchParams: Promise<Query> }) {
  const { workspace, member } = await requireMember("keys.manage");
  const page = pageOf((await searchParams).page);
  const { keys, total } = await readWorkspace(workspace.id, (read) =>
    listApiKeys(read, { limit: SIZE, offset: (page - 1) * SIZE }),
  );
  const now = new Date();
  const moment = (at: Date) => <Moment at={at} now={now} timeZone={member.timeZone} />;
  return (
    <ListPage
      title="API keys"
      about={
        <>
          Let apps and scripts use this knowledge base. See the <a href="/developers">API reference</a>.
        </>
      }
      action={<ButtonLink href="/admin/keys/new">Create key</ButtonLink>}
      list={{
        page,
        size: SIZE,
        total,
        shown: keys.length,
        address: (at) => pageAddress("/admin/keys", {}, at),
      }}
      empty={{
        title: "No API keys yet",
        text: <p>Create a key for each app so that you can revoke each key separately.</p>,
      }}
    >
      <Table
        label="API keys"
        columns={["Name", "Access", "Key", "Expires", "Last used", "Created", ""]}
        rows={keys.map((key) => ({
          key: key.id,
          cells: cellsOf(key, moment, within(member.permissions, keyMay(key.scopes))),
        }))}
      />
    </ListPage>
  );
}

function cellsOf(key: ApiKey, moment: (at: Date) => ReactNode, mayMake: boolean): ReactNode[] {
  return [
    <span key="name" className="font-medium">
      {key.name}
    </span>,
    presetOf(key.scopes) ?? key.scopes.map((scope) => scopes[scope].label).join(", "),
    <code key="key" className="whitespace-nowrap">
      …{key.lastFour}
    </code>,
    expiryOf(key, moment),
    key.lastUsedAt ? (
      <span key="used">
        {moment(key.lastUsedAt)}
        <span className="block text-code text-text-muted">
          {[key.lastUsedRoute, key.lastUsedIp && `from ${key.lastUsedIp}`].filter(Boolean).join(" ")}
        </span>
      </span>
    ) : (
      <span key="used" className="text-text-muted">
        Never used
      </span>
    ),
    <span key="made">
      {moment(key.createdAt)}
      <span className="block text-code text-text-muted">
        {key.createdByName ? `by ${key.createdByName}` : "from the command line"}
      </span>
    </span>,
    <span key="actions" className="flex justify-end gap-2">
      {key.state === "works" && mayMake && (
        <ButtonLink href={`/admin/keys/${key.id}/rotate`} look="plain" size="small" aria-label={`Rotate ${key.name}`}>
          Rotate
        </ButtonLink>
      )}
      {key.state !== "revoked" && (
        <Confirm
          id={`revoke-${key.id}`}
          label="Revoke"
          title={`Revoke “${key.name}”?`}
          yes="Revoke key"
          action={submitRevokeKey}
          fields={{ id: key.id }}
        >
          <p>Requests with the key …{key.lastFour} will fail immediately. You can't restore a revoked key.</p>
        </Confirm>
      )}
    </span>,
  ];
}

function expiryOf(key: ApiKey, moment: (at: Date) => ReactNode): ReactNode {
  if (key.state === "revoked") return <Badge tone="bad">Revoked</Badge>;
  if (key.state === "expired") return <Badge tone="bad">Expired</Badge>;
  return key.expiresAt ? moment(key.expiresAt) : "Never";
}
