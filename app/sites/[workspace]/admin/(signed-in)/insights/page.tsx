import { ChartNoAxesColumn } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import type { ReactNode } from "react";
import { AdminPage } from "@/components/admin/page";
import { BarChart } from "@/components/ui/bar-chart";
import { countOf, number } from "@/components/ui/count";
import { Empty } from "@/components/ui/empty";
import { type Read, readWorkspace } from "@/lib/db";
import { answersOver } from "@/lib/insights/feedback";
import { type Compared, comparison, periods } from "@/lib/insights/period";
import { searchesOver, searchTerms } from "@/lib/insights/search-terms";
import { viewsOver } from "@/lib/insights/views";
import type { Permission } from "@/lib/members/roles";
import { requireMember } from "@/lib/session";
import type { Query } from "../../_form";
import { barName } from "./_bars";
import { type InsightList, type ListName, lists, type Row, rowsOfTerms } from "./_lists";
import { PeriodChoice } from "./_periods";
import { type InsightRequest, insightRequest } from "./_request";

export const metadata: Metadata = { title: "Insights" };

/** The number of rows per list here. Each list's own page shows all of them. */
const FEW = { limit: 5, offset: 0 };

export default async function InsightsPage({ searchParams }: { searchParams: Promise<Query> }) {
  const { workspace, member } = await requireMember("insights.read");
  const request = insightRequest(workspace, member, (await searchParams).period);
  const { views, searches, answers, shown } = await readWorkspace(workspace.id, (read) => readAll(read, request));
  const period = periods[request.period];
  const part = (name: ListName) => <Part name={name} {...shown[name]} request={request} />;
  const bar = period.bar === "day" ? "Day" : "Month";
  const share = (count: number, all: number) => `${Math.round((count / all) * 100)}%`;
  const has = ({ now, before }: Compared) => now > 0 || (before ?? 0) > 0;
  const hasViews = has(views.total);
  const hasSearches = has(searches.all);
  const answered = answers.yes + answers.no;
  const hasFeedback = answered > 0 || shown.reasons.total > 0;
  return (
    <AdminPage title="Insights" about="How readers use your knowledge base. All data is anonymous.">
      <PeriodChoice path="/admin/insights" period={request.period} />
      {!hasViews && !hasSearches && !hasFeedback && (
        <div className="mt-6">
          <Empty title={`No reader activity in the last ${period.name}`} icon={ChartNoAxesColumn}>
            <p>Views, searches, and feedback appear here within seconds of a reader's visit.</p>
          </Empty>
        </div>
      )}
      {hasViews && (
        <Pair title="Views">
          <div>
            <Total count={views.total} what={["view", "views"]} list="most-read" request={request} />
            {views.total.now > 0 && (
              <BarChart
                label={`Views in the last ${period.name}`}
                columns={[bar, "Views"]}
                bars={views.bars.map((value, index) => ({ ...barName(request.utc, index), value }))}
              />
            )}
            {period.bar === "day" && request.timeZone !== "UTC" && (
              <p className="mt-1 text-text-muted">Views are counted by UTC day.</p>
            )}
          </div>
          {part("most-read")}
        </Pair>
      )}
      {(hasSearches || !workspace.searchLogEnabled) && (
        <Pair title="Searches">
          <div>
            {hasSearches && (
              <Total count={searches.all} what={["search", "searches"]} list="top-searches" request={request} />
            )}
            {searches.all.now > 0 && (
              <>
                <p className="mb-3">
                  <Link
                    href={listAddress("without-result", request)}
                    prefetch={false}
                    className="font-medium text-danger no-underline hover:underline"
                  >
                    {number(searches.nothing.now)} with no results ({share(searches.nothing.now, searches.all.now)})
                  </Link>
                </p>
                <BarChart
                  label={`Searches in the last ${period.name}`}
                  columns={[bar, "Searches", "No results"]}
                  bars={searches.bars.map(({ all, nothing }, index) => ({
                    ...barName(request.local, index),
                    value: all,
                    part: nothing,
                  }))}
                />
              </>
            )}
            {!workspace.searchLogEnabled && <Off what="The search log" permissions={member.permissions} />}
          </div>
          {part("without-result")}
          {part("top-searches")}
          {part("nobody-opened")}
        </Pair>
      )}
      {(hasFeedback || !workspace.feedbackEnabled) && (
        <Pair title="Feedback">
          <div className="md:col-span-2">
            {answered > 0 && (
              <p>
                <strong className="text-lg font-semibold">{share(answers.yes, answered)}</strong> of{" "}
                <Link href={listAddress("reasons", request)} prefetch={false} className="no-underline hover:underline">
                  {countOf(answered, "answer")}
                </Link>{" "}
                said “Yes.”
              </p>
            )}
            {!workspace.feedbackEnabled && <Off what="Feedback" permissions={member.permissions} />}
          </div>
          {part("did-not-help")}
          {part("reasons")}
        </Pair>
      )}
      {shown.unread.total + shown["broken-links"].total > 0 && (
        <Pair title="Needs attention">
          {part("unread")}
          {part("broken-links")}
        </Pair>
      )}
    </AdminPage>
  );
}

function Off({ what, permissions }: { what: string; permissions: Permission[] }) {
  return (
    <p className="mt-1 text-text-muted">
      {what} is off.{" "}
      {permissions.includes("settings.manage") && (
        <Link href="/admin/readers" prefetch={false}>
          Turn it on
        </Link>
      )}
    </p>
  );
}

async function readAll(read: Read, request: InsightRequest) {
  const { utc, local, timeZone } = request;
  const terms = await searchTerms(read, ["all", "nothing", "unopened"], local, timeZone, FEW);
  return {
    views: await viewsOver(read, utc),
    searches: await searchesOver(read, local, timeZone),
    answers: await answersOver(read, local, timeZone),
    shown: {
      "top-searches": await rowsOfTerms(read, "all", terms.all, request),
      "without-result": await rowsOfTerms(read, "nothing", terms.nothing, request),
      "nobody-opened": await rowsOfTerms(read, "unopened", terms.unopened, request),
      "most-read": await lists["most-read"].load(read, request, FEW),
      "did-not-help": await lists["did-not-help"].load(read, request, FEW),
      reasons: await lists.reasons.load(read, request, FEW),
      unread: await lists.unread.load(read, request, FEW),
      "broken-links": await lists["broken-links"].load(read, request, FEW),
    },
  };
}

const listAddress = (name: ListName, { period }: InsightRequest) => `/admin/insights/${name}?period=${period}`;

/** Two columns, where there is room. */
function Pair({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="mt-8 border-t border-border pt-5">
      <h2 className="mb-3 text-base">{title}</h2>
      <div className="grid gap-x-10 gap-y-7 md:grid-cols-2 [&>*]:min-w-0">{children}</div>
    </section>
  );
}

function Total({
  count,
  what,
  list,
  request,
}: {
  count: Compared;
  what: [one: string, many: string];
  list: ListName;
  request: InsightRequest;
}) {
  return (
    <p className="mb-3">
      <Link
        href={listAddress(list, request)}
        prefetch={false}
        className="text-lg font-semibold no-underline hover:underline"
      >
        {countOf(count.now, ...what)}
      </Link>{" "}
      in the last {periods[request.period].name}.{" "}
      <span className="text-text-muted">{comparison(count, request.period)}</span>
    </p>
  );
}

/** A few rows of a list, with a link to all of them. Nothing if the list is empty. */
function Part({ name, rows, total, request }: { name: ListName; rows: Row[]; total: number; request: InsightRequest }) {
  const { title, columns, stacked }: InsightList = lists[name];
  const hasButtons = columns.at(-1) === "";
  if (rows.length === 0) return null;
  return (
    <section aria-label={title}>
      <h3 className="flex items-baseline justify-between gap-4 font-medium">
        {title}
        <Link
          href={listAddress(name, request)}
          prefetch={false}
          aria-label={`${title}: all ${number(total)}`}
          className="shrink-0 font-normal no-underline hover:underline"
        >
          All {number(total)}
        </Link>
      </h3>
      <ul className="mt-2 border-t border-border">
        {rows.map(({ key, cells }) => (
          <li
            key={key}
            className={`min-h-10 gap-x-4 gap-y-1 border-b border-border py-2 ${stacked ? "grid" : "flex flex-wrap items-center justify-between"}`}
          >
            <span className="min-w-0 flex-1 break-words">{cells[0]}</span>
            <span className={stacked ? "min-w-0 break-words text-text-muted" : "text-text-muted tabular-nums"}>
              {cells[1]}
            </span>
            {hasButtons && cells.at(-1)}
          </li>
        ))}
      </ul>
    </section>
  );
}
