import type { Metadata } from "next";
import { cookies } from "next/headers";
import Link from "next/link";
import type { ReactNode } from "react";
import { ArticleStatus } from "@/components/admin/articles/status";
import { AdminPage } from "@/components/admin/page";
import { BarChart } from "@/components/ui/bar-chart";
import { countOf, number } from "@/components/ui/count";
import { Moment } from "@/components/ui/moment";
import { Submit } from "@/components/ui/submit";
import { listWrittenArticles } from "@/lib/articles/list";
import { listAuditEntries } from "@/lib/audit/audit-log";
import { type Read, readWorkspace } from "@/lib/db";
import { brokenLinks } from "@/lib/insights/links";
import { contentCounts, type FirstSteps, firstSteps } from "@/lib/insights/overview";
import { comparison } from "@/lib/insights/period";
import { searchTerms } from "@/lib/insights/search-terms";
import { viewsOver } from "@/lib/insights/views";
import { importPermissions, type Permission, within } from "@/lib/members/roles";
import { requireMember } from "@/lib/session";
import { submitHideSteps } from "../actions";
import { sentenceOf } from "./audit/_words";
import { barName } from "./insights/_bars";
import { type InsightRequest, insightRequest } from "./insights/_request";

export const metadata: Metadata = { title: "Home" };

/** The number of recent changes. */
const CHANGES = 8;
/** The number of recently edited articles. */
const RECENT = 8;
/** Enough rows to get the total, which comes with each row. */
const ONE = { limit: 1, offset: 0 };

export default async function DashboardPage() {
  const { workspace, member } = await requireMember();
  const request = insightRequest(workspace, member, "7");
  const { counts, myDrafts, recent, steps, insights, changes } = await readWorkspace(workspace.id, (read) =>
    readAll(read, request, workspace.id, member.id),
  );
  const open = stepsFor(steps, member.permissions);
  const mayWrite = member.permissions.includes("articles.write");
  const isHidden = (await cookies()).get("steps")?.value === "hidden";
  const isNew = !isHidden && open.some(({ done }) => !done);
  return (
    <AdminPage title="Home">
      {isNew && <Steps steps={open} />}
      <dl className="grid grid-cols-2 gap-3 md:grid-cols-3 lg:grid-cols-4">
        {mayWrite && (
          <>
            <Figure name="My drafts" value={myDrafts} href={`/admin/articles?author=${member.id}&state=draft`} />
            <Figure name="Unpublished changes" value={counts.differing} href="/admin/articles?state=changed" />
            <Figure name="Scheduled" value={counts.scheduled} href="/admin/articles?state=scheduled" />
            <Figure name="On hold" value={counts.held} href="/admin/articles?state=held" />
            <Figure name="Published articles" value={counts.published} href="/admin/articles?state=published" />
            <Figure name="Drafts" value={counts.drafts} href="/admin/articles?state=draft" />
          </>
        )}
        {insights && (
          <>
            <Figure
              name="Searches with no results"
              value={insights.nothing}
              about="In the last 7 days"
              href="/admin/insights/without-result?period=7"
            />
            <Figure
              name="Broken links"
              value={insights.broken}
              about="In published articles"
              href="/admin/insights/broken-links"
            />
          </>
        )}
      </dl>
      <div className="mt-8 grid gap-x-10 gap-y-8 md:grid-cols-2 [&>*]:min-w-0">
        {mayWrite && recent.length > 0 && (
          <Section title="Recently updated" more={{ href: "/admin/articles", name: "All articles" }}>
            <ul className="border-t border-border">
              {recent.map((article) => (
                <li
                  key={article.id}
                  className="flex min-h-10 items-center justify-between gap-4 border-b border-border py-1"
                >
                  <Link
                    href={`/admin/articles/${article.id}`}
                    prefetch={false}
                    className="flex min-h-11 min-w-0 items-center no-underline hover:underline md:min-h-8"
                  >
                    <span className="truncate">{article.title}</span>
                  </Link>
                  <span className="flex shrink-0 items-center gap-3 text-text-muted">
                    <ArticleStatus article={article} />
                    <Moment at={article.changedAt} now={request.now} timeZone={request.timeZone} />
                  </span>
                </li>
              ))}
            </ul>
          </Section>
        )}
        {insights && (
          <Section title="Views, last 7 days" more={{ href: "/admin/insights?period=7", name: "All insights" }}>
            {insights.views.total.now === 0 ? (
              <p className="text-text-muted">No views in the last 7 days.</p>
            ) : (
              <>
                <p className="mb-3">
                  <strong className="text-lg font-semibold">{countOf(insights.views.total.now, "view")}</strong>.{" "}
                  <span className="text-text-muted">{comparison(insights.views.total, "7")}</span>
                </p>
                <BarChart
                  small
                  label={`Views on each of the last 7 days: ${insights.views.bars.join(", ")}`}
                  columns={["Day", "Views"]}
                  bars={insights.views.bars.map((value, index) => ({ ...barName(request.utc, index), value }))}
                />
              </>
            )}
          </Section>
        )}
        {changes && (
          <Section title="Recent activity" more={{ href: "/admin/audit", name: "Audit log" }}>
            {changes.length === 0 ? (
              <p className="text-text-muted">No activity yet.</p>
            ) : (
              <ul className="border-t border-border">
                {changes.map((change) => (
                  <li
                    key={change.id}
                    className="flex min-h-10 items-baseline justify-between gap-4 border-b border-border py-2"
                  >
                    <span className="min-w-0 break-words">{sentenceOf(change)}</span>
                    <span className="shrink-0 text-text-muted">
                      <Moment at={change.at} now={request.now} timeZone={request.timeZone} />
                    </span>
                  </li>
                ))}
              </ul>
            )}
          </Section>
        )}
      </div>
    </AdminPage>
  );
}

/** Reads the numbers that the member's permissions allow: about readers, and about changes. */
async function readAll(
  read: Read,
  { utc, local, timeZone, origin, permissions }: InsightRequest,
  workspaceId: string,
  memberId: string,
) {
  const may = (permission: Permission) => permissions.includes(permission);
  return {
    counts: await contentCounts(read),
    myDrafts: (await listWrittenArticles(read, workspaceId, { authorId: memberId, state: "draft" }, ONE)).total,
    recent: (await listWrittenArticles(read, workspaceId, {}, { limit: RECENT, offset: 0 })).articles,
    steps: await firstSteps(read),
    insights: may("insights.read")
      ? {
          views: await viewsOver(read, utc),
          nothing: (await searchTerms(read, ["nothing"], local, timeZone, ONE)).nothing.total,
          broken: (await brokenLinks(read, origin, ONE)).total,
        }
      : null,
    changes: may("settings.manage")
      ? (await listAuditEntries(read, { ofPeople: true, timeZone }, { limit: CHANGES })).entries
      : null,
  };
}

interface Step {
  name: string;
  href: string;
  about: string;
  done: boolean;
}

/** The first steps that the member has permission for. */
function stepsFor(steps: FirstSteps, permissions: Permission[]): Step[] {
  const all: (Step & { permission: Permission | Permission[] })[] = [
    {
      name: "Create category",
      href: "/admin/categories/new",
      about: "Every article belongs to a category.",
      done: steps.categorized,
      permission: "categories.manage",
    },
    {
      name: "Write your first article",
      href: "/admin/articles/new",
      about: "Answer a question that people often ask you.",
      done: steps.written,
      permission: "articles.write",
    },
    {
      name: "Import articles",
      href: "/admin/import",
      about: "From a zip of Markdown or HTML.",
      done: steps.imported,
      permission: importPermissions,
    },
    {
      name: "Add your logo and color",
      href: "/admin/appearance",
      about: "Used on reader pages and the sign-in page.",
      done: steps.dressed,
      permission: "settings.manage",
    },
    {
      name: "Invite your team",
      href: "/admin/members/invite",
      about: "Send invitations and choose roles.",
      done: steps.invited,
      permission: "members.manage",
    },
  ];
  return all.filter(({ permission }) => within(permissions, [permission].flat()));
}

function Steps({ steps }: { steps: Step[] }) {
  const done = steps.filter((step) => step.done).length;
  return (
    <section aria-label="Get started" className="mb-8 rounded-md border border-border bg-surface-raised p-5">
      <div className="flex items-start justify-between gap-4">
        <div>
          <h2 className="text-md font-semibold">Get started</h2>
          <p className="mt-1 text-text-muted">
            {done} of {steps.length} complete
          </p>
        </div>
        <form action={submitHideSteps}>
          <Submit busy="Hiding…" look="plain" size="small">
            Dismiss
          </Submit>
        </form>
      </div>
      <ol className="mt-3">
        {steps.map(({ name, href, about, done }) => (
          <li key={href} className="flex min-h-10 items-baseline gap-3 border-t border-border py-2">
            <svg
              viewBox="0 0 16 16"
              aria-hidden="true"
              className={`size-4 shrink-0 translate-y-0.5 stroke-[1.5] ${done ? "stroke-success" : "stroke-border-field"}`}
            >
              <circle cx="8" cy="8" r="6.5" fill="none" />
              {done && <path d="M5 8.2l2 2 4-4.4" fill="none" strokeLinecap="round" />}
            </svg>
            <span className="min-w-0">
              {done ? (
                <span className="text-text-muted">
                  {name} <span className="sr-only">Done</span>
                </span>
              ) : (
                <>
                  <Link href={href} prefetch={false} className="font-medium no-underline hover:underline">
                    {name}
                  </Link>{" "}
                  <span className="text-text-muted">{about}</span>
                </>
              )}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Figure({ name, value, about, href }: { name: string; value: number; about?: string; href: string }) {
  return (
    // The number comes first visually, so that all align, and its name first for screen readers.
    <div className="relative flex flex-col rounded-md border border-border bg-surface-raised px-4 py-3 has-[a:hover]:border-border-field">
      <dt className="order-2">
        {/* The link covers the box. */}
        <Link href={href} prefetch={false} className="no-underline after:absolute after:inset-0 after:rounded-md">
          {name}
        </Link>
      </dt>
      <dd className="order-1 pb-0.5 text-lg font-semibold tabular-nums">{number(value)}</dd>
      {about && <dd className="order-3 text-text-muted">{about}</dd>}
    </div>
  );
}

function Section({
  title,
  more,
  children,
}: {
  title: string;
  more?: { href: string; name: string };
  children: ReactNode;
}) {
  return (
    <section aria-label={title}>
      <div className="mb-3 flex items-baseline justify-between gap-4">
        <h2 className="text-md font-semibold">{title}</h2>
        {more && (
          <Link
            href={more.href}
            prefetch={false}
            className="text-text-muted no-underline hover:text-text hover:underline"
          >
            {more.name}
          </Link>
        )}
      </div>
      {children}
    </section>
  );
}
