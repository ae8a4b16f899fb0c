import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { ListPage } from "@/components/admin/list-page";
import { ButtonLink } from "@/components/ui/button-link";
import { Table } from "@/components/ui/table";
import { readWorkspace } from "@/lib/db";
import { periods } from "@/lib/insights/period";
import { requireMember } from "@/lib/session";
import { pageAddress, pageOf, type Query } from "../../../_form";
import { listNamed } from "../_lists";
import { PeriodChoice } from "../_periods";
import { insightRequest } from "../_request";

const SIZE = 50;

interface Props {
  params: Promise<{ workspace: string; list: string }>;
  searchParams: Promise<Query>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: listNamed((await params).list)?.title ?? "Page not found" };
}

export default async function InsightListPage({ params, searchParams }: Props) {
  const { list: name } = await params;
  const { workspace, member } = await requireMember("insights.read");
  const list = listNamed(name) ?? notFound();
  const query = await searchParams;
  const page = pageOf(query.page);
  const request = insightRequest(workspace, member, query.period);
  const { rows, total } = await readWorkspace(workspace.id, (read) =>
    list.load(read, request, { limit: SIZE, offset: (page - 1) * SIZE }),
  );
  const path = `/admin/insights/${name}`;
  const period = `period=${request.period}`;
  return (
    <ListPage
      title={list.title}
      path={[{ href: `/admin/insights?${period}`, name: "Insights" }]}
      about={list.about}
      action={
        total > 0 && (
          <ButtonLink href={`${path}/csv?${period}`} look="plain" download>
            Download CSV
          </ButtonLink>
        )
      }
      list={{
        page,
        size: SIZE,
        total,
        shown: rows.length,
        address: (at) => pageAddress(path, { period: request.period }, at),
      }}
      // Another period may have rows, so the choice stays on an empty list.
      isFiltered
      filter={
        !list.isOfNow && (
          <div className="mb-5">
            <PeriodChoice path={path} period={request.period} />
          </div>
        )
      }
      unmatched={
        list.isOfNow
          ? {
              title: list.empty.replace(/\.$/, ""),
              text: <p>No published article links to a missing page or shows a missing image.</p>,
            }
          : { title: `Nothing in the last ${periods[request.period].name}`, text: <p>{list.empty}</p> }
      }
    >
      <Table label={list.title} columns={list.columns} rows={rows} />
    </ListPage>
  );
}
