import type { Metadata } from "next";
import type { ReactNode } from "react";
import { AdminPage } from "@/components/admin/page";
import { ButtonLink } from "@/components/ui/button";
import { Confirm } from "@/components/ui/confirm";
import { Empty } from "@/components/ui/empty";
import { Moment } from "@/components/ui/moment";
import { Pager } from "@/components/ui/pager";
import { State } from "@/components/ui/state";
import { Table } from "@/components/ui/table";
import { type ApiKey, findApiKey, keyMay, listApiKeys } from "@/lib/api-keys";
import { readWorkspace } from "@/lib/db";
import { within } from "@/lib/roles";
import { requireMember } from "@/lib/session";
import { publicWorkspace } from "@/lib/site";
import { pageOf } from "../../_form";
import { submitRevokeKey } from "./actions";

export const metadata: Metadata = { title: "API keys" };

const SIZE = 25;

interface Props {
  params: Promise<{ workspace: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function KeysPage({ params, searchParams }: Props) {
  const workspace = await publicWorkspace((await params).workspace);
  const member = await requireMember(workspace.subdomain, "keys.manage");
  const asked = await searchParams;
  const page = pageOf(asked.page);
  const address = (at: number) => (at > 1 ? `/admin/keys?page=${at}` : "/admin/keys");
  const { keys, total, revoked } = await readWorkspace(workspace.id, async (read) => ({
    ...(await listApiKeys(read, { limit: SIZE, offset: (page - 1) * SIZE })),
    revoked: asked.done === "revoked" ? await findApiKey(read, String(asked.of)) : null,
  }));
  const now = new Date();
  const moment = (at: Date) => <Moment at={at} now={now} timeZone={member.timeZone} />;
  const create = <ButtonLink href="/admin/keys/new">Create key</ButtonLink>;
  return (
    <AdminPage
      title="API keys"
      about={
        <>
          A key lets a program read or change this knowledge base. What it can ask is in the{" "}
          <a href="/developers">API reference</a>.
        </>
      }
      action={total > 0 && create}
      told={
        revoked?.state === "revoked"
          ? { text: `“${revoked.name}” is revoked: its next request is refused.`, close: address(page) }
          : undefined
      }
    >
      {total === 0 ? (
        <Empty title="No keys yet" action={create}>
          <p>
            Create one for each program: then you see which of them still asks, and can stop one without stopping the
            others.
          </p>
        </Empty>
      ) : (
        <Table
          label="API keys"
          columns={["Name", "Permission", "Key", "Expires", "Last used", "Created", ""]}
          rows={keys.map((key) => ({
            key: key.id,
            cells: cellsOf(key, moment, within(member.permissions, keyMay[key.permission])),
          }))}
        />
      )}
      <Pager page={page} size={SIZE} total={total} address={address} />
    </AdminPage>
  );
}

function cellsOf(key: ApiKey, moment: (at: Date) => ReactNode, mayMake: boolean): ReactNode[] {
  return [
    <span key="name" className="font-medium">
      {key.name}
    </span>,
    key.permission === "read" ? "Read" : "Read and write",
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
      <span className="block text-code text-text-muted">by {key.createdByName ?? "an operator"}</span>
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
          <p>
            The key that ends in {key.lastFour} is refused from its next request on. A revoked key cannot be brought
            back.
          </p>
        </Confirm>
      )}
    </span>,
  ];
}

function expiryOf(key: ApiKey, moment: (at: Date) => ReactNode): ReactNode {
  if (key.state === "revoked") return <State tone="bad">Revoked</State>;
  if (key.state === "expired") return <State tone="bad">Expired</State>;
  return key.expiresAt ? moment(key.expiresAt) : "Never";
}
