import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { AdminPage } from "@/components/admin/page";
import { ButtonLink } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
import { Pager } from "@/components/ui/pager";
import { Table } from "@/components/ui/table";
import { readWorkspace } from "@/lib/db";
import { periods } from "@/lib/insights/period";
import { requireMember } from "@/lib/session";
import { publicWorkspace } from "@/lib/site";
import { pageAddress, pageOf } from "../../../_form";
import { askedBy } from "../_asked";
import { listNamed } from "../_lists";
import { PeriodChoice } from "../_period-choice";
import { draftTold } from "../_told";

const SIZE = 50;

interface Props {
  params: Promise<{ workspace: string; list: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: listNamed((await params).list)?.title ?? "Page not found" };
}

export default async function InsightListPage({ params, searchParams }: Props) {
  const { workspace: subdomain, list: name } = await params;
  const workspace = await publicWorkspace(subdomain);
  const member = await requireMember(workspace.subdomain, "insights.read");
  const list = listNamed(name) ?? notFound();
  const given = await searchParams;
  const page = pageOf(given.page);
  const asked = askedBy(workspace, member, given.period);
  const { rows, total, told } = await readWorkspace(workspace.id, async (read) => ({
    ...(await list.load(read, asked, { limit: SIZE, offset: (page - 1) * SIZE })),
    told: await draftTold(read, given, asked.period),
  }));
  const path = `/admin/insights/${name}`;
  const query = `period=${asked.period}`;
  const address = (at: number) => pageAddress(path, { period: asked.period }, at);
  return (
    <AdminPage
      title={list.title}
      path={[{ href: `/admin/insights?${query}`, name: "Insights" }]}
      about={list.about}
      action={
        total > 0 && (
          <ButtonLink href={`${path}/csv?${query}`} look="plain" download>
            Download CSV
          </ButtonLink>
        )
      }
      told={told && { ...told, close: address(page) }}
    >
      <div className="mb-5">
        <PeriodChoice path={path} period={asked.period} />
      </div>
      {rows.length === 0 ? (
        <Empty title={`Nothing in the last ${periods[asked.period].name}`}>
          <p>{list.empty}</p>
        </Empty>
      ) : (
        <Table label={list.title} columns={list.columns} rows={rows} />
      )}
      <Pager page={page} size={SIZE} total={total} address={address} />
    </AdminPage>
  );
}
