import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { BulkBar, BulkButton, SelectAll } from "@/components/admin/articles/bulk-bar";
import { ListPage } from "@/components/admin/list-page";
import { Button } from "@/components/ui/button";
import { Confirm } from "@/components/ui/confirm";
import { countOf } from "@/components/ui/count";

import { Filter, FilterChoice, FilterSearch } from "@/components/ui/filter";
import { Moment } from "@/components/ui/moment";
import { Table } from "@/components/ui/table";
import { readWorkspace } from "@/lib/db";
import { requireMember } from "@/lib/session";
import { listTrash, TRASH_DAYS, type TrashEntry } from "@/lib/trash/trash";
import { pageAddress, pageOf, type Query, wordOf } from "../../_form";
import { kinds, kindsFor } from "./_kinds";
import { submitDeletePermanently, submitRestore } from "./actions";

export const metadata: Metadata = { title: "Trash" };

const SIZE = 50;
const FORM = "trash";
const lists = new Intl.ListFormat("en");

export default async function TrashPage({ searchParams }: { searchParams: Promise<Query> }) {
  const { workspace, member } = await requireMember();
  const allowed = kindsFor(member.permissions);
  if (allowed.length === 0) notFound();
  const query = await searchParams;
  const page = pageOf(query.page);
  const kind = allowed.find((one) => one === query.kind);
  const filter = { q: wordOf(query.q), kind };
  const { entries, total } = await readWorkspace(workspace.id, (read) =>
    listTrash(read, {
      kinds: kind ? [kind] : allowed,
      search: filter.q,
      limit: SIZE,
      offset: (page - 1) * SIZE,
    }),
  );
  const address = (at: number) => pageAddress("/admin/trash", filter, at);
  const from = new URL(address(page), "http://here").search;
  const mayPublish = member.permissions.includes("articles.publish");
  const isFiltered = filter.q !== "" || kind !== undefined;
  return (
    <ListPage
      title="Trash"
      about={`You can restore deleted items for ${TRASH_DAYS} days.`}
      list={{ page, size: SIZE, total, address, shown: entries.length }}
      isFiltered={isFiltered}
      filter={
        <Filter action="/admin/trash" isFiltered={isFiltered}>
          <FilterSearch label="Search trash" value={filter.q} />
          {allowed.length > 1 && (
            <FilterChoice
              label="Type"
              name="kind"
              value={kind ?? ""}
              any="Any type"
              options={allowed.map((one) => ({ value: one, name: kinds[one].name }))}
            />
          )}
        </Filter>
      }
      empty={{
        title: "The trash is empty",
        text: <p>{`Deleted ${lists.format(allowed.map((one) => kinds[one].plural))} appear here.`}</p>,
      }}
      unmatched={{
        title: "No items found",
        text: <p>Try different filters.</p>,
        all: { href: "/admin/trash", name: "Show all items" },
      }}
    >
      <form id={FORM} action={submitRestore}>
        <input type="hidden" name="page" value="trash" />
        <input type="hidden" name="from" value={from} />
        <BulkBar formId={FORM} label="Selected items">
          <BulkButton name="do" value="restore" busy="Restoring…">
            Restore
          </BulkButton>
        </BulkBar>
      </form>
      <Table
        label="Trash"
        columns={[
          {
            name: "Name",
            before: <SelectAll formId={FORM} />,
          },
          "Type",
          "Deleted",
          "Deleted by",
          "Time left",
          "",
        ]}
        dense={["Deleted", "Deleted by", "Time left"]}
        rows={entries.map((entry) => ({
          key: entry.id,
          cells: cellsOf(entry, { mayRestore: mayPublish || !entry.wasPublished, timeZone: member.timeZone, from }),
        }))}
      />
    </ListPage>
  );
}

function cellsOf(
  { id, kind, title, deletedAt, until, deletedBy }: TrashEntry,
  { mayRestore, timeZone, from }: { mayRestore: boolean; timeZone: string; from: string },
) {
  const now = new Date();
  const item = `${kind}:${id}`;
  return [
    <label key="name" className="flex min-w-0 items-start gap-2.5">
      <input
        type="checkbox"
        name="id"
        value={item}
        form={FORM}
        disabled={!mayRestore}
        aria-label={`Select ${title}`}
        className="mt-0.5 size-4 shrink-0 accent-accent"
      />
      <span className="min-w-0 font-medium wrap-anywhere">{title}</span>
    </label>,
    kinds[kind].name,
    <Moment key="deleted" at={deletedAt} now={now} timeZone={timeZone} />,
    deletedBy,
    countOf(Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 86_400_000)), "day"),
    mayRestore ? (
      <span key="actions" className="flex flex-wrap gap-2 md:justify-end">
        <Button
          type="submit"
          name="one"
          value={item}
          form={FORM}
          look="plain"
          size="small"
          aria-label={`Restore ${title}`}
        >
          Restore
        </Button>
        <Confirm
          id={`delete-${id}`}
          label="Delete"
          title={`Delete “${title}” permanently?`}
          action={submitDeletePermanently}
          yes="Delete permanently"
          fields={{ id: item, from }}
        >
          Permanently deleted items can't be restored.
        </Confirm>
      </span>
    ) : (
      <span key="actions" className="text-text-muted">
        Members who can publish can restore this article.
      </span>
    ),
  ];
}
