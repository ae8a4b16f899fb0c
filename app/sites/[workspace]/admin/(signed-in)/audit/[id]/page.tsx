import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { ListPage } from "@/components/admin/list-page";
import { Table } from "@/components/ui/table";
import type { AuditDetails } from "@/lib/audit/audit";
import { findAuditEntry, listAuditItems } from "@/lib/audit/audit-log";
import { readWorkspace } from "@/lib/db";
import { requireMember } from "@/lib/session";
import { idOf, pageAddress, pageOf, type Query } from "../../../_form";
import { sentenceOf } from "../_words";

export const metadata: Metadata = { title: "Audit log entry" };

const SIZE = 50;

interface Props {
  params: Promise<{ workspace: string; id: string }>;
  searchParams: Promise<Query>;
}

/** The articles behind an entry that stands for several. */
export default async function AuditEntryPage({ params, searchParams }: Props) {
  const { workspace, member } = await requireMember("settings.manage");
  const id = idOf((await params).id);
  const page = pageOf((await searchParams).page);
  if (!id) notFound();
  const { entry, items, total } = await readWorkspace(workspace.id, async (read) => ({
    entry: await findAuditEntry(read, id),
    ...(await listAuditItems(read, id, { limit: SIZE, offset: (page - 1) * SIZE })),
  }));
  if (!entry || total === 0) notFound();
  const at = new Intl.DateTimeFormat("en", { dateStyle: "long", timeStyle: "short", timeZone: member.timeZone });
  const [first] = items;
  const change = first && changeOf(first.details);
  return (
    <ListPage
      title={sentenceOf(entry)}
      about={at.format(entry.at)}
      list={{
        page,
        size: SIZE,
        total,
        shown: items.length,
        address: (to) => pageAddress(`/admin/audit/${id}`, {}, to),
      }}
    >
      <Table
        label="Articles"
        columns={["Article", ...(change ? [change.name] : [])]}
        rows={items.map((item) => ({
          key: item.id,
          cells: [
            item.there ? (
              <Link key="title" href={`/admin/articles/${item.id}`} prefetch={false} className="font-medium">
                {item.name}
              </Link>
            ) : (
              item.name
            ),
            change && (
              <span key="change" className="text-text-muted">
                {changeOf(item.details)?.value}
              </span>
            ),
          ].slice(0, change ? 2 : 1),
        }))}
      />
    </ListPage>
  );
}

/** The details but for what the entry says of all of them. */
function changeOf({ category, slug }: AuditDetails): { name: string; value: string } | null {
  if (typeof category === "string") return { name: "Category", value: category };
  return typeof slug === "string" ? { name: "URL", value: `/articles/${slug}` } : null;
}
