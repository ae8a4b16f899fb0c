import type { Metadata } from "next";
import Link from "next/link";
import type { ReactNode } from "react";
import { AdminPage } from "@/components/admin/page";
import { BarChart } from "@/components/ui/bar-chart";
import { countOf, number } from "@/components/ui/count";
import { Moment } from "@/components/ui/moment";
import { listAuditEntries } from "@/lib/audit/audit-log";
import { type Read, readWorkspace } from "@/lib/db";
import { env } from "@/lib/env";
import { workspaceUrl } from "@/lib/http/host";
import { brokenLinks } from "@/lib/insights/links";
import { contentCounts, type FirstSteps, firstSteps } from "@/lib/insights/overview";
import { comparison } from "@/lib/insights/period";
import { searchTerms } from "@/lib/insights/search-terms";
import { viewsOver } from "@/lib/insights/views";
import type { Permission } from "@/lib/members/roles";
import { requireMember } from "@/lib/session";
import { placesFor } from "./_pages";
import { sentenceOf } from "./audit/_words";
import { barName } from "./insights/_bars";
import { type InsightRequest, insightRequest } from "./insights/_request";

export const metadata: Metadata = { title: "Dashboard" };

/** The number of recent changes. */
const CHANGES = 8;
/** Enough rows to get the total, which comes with each row. */
const ONE = { limit: 1, offset: 0 };

export default async function DashboardPage() {
  const { workspace, member } = await requireMember();
  const request = insightRequest(workspace, member, "7");
  const { counts, steps, insights, changes } = await readWorkspace(workspace.id, (read) => readAll(read, request));
  const open = stepsFor(steps, member.permissions);
  const isNew = open.some(({ done }) => !done);
  const places = placesFor(member.permissions).filter(({ about }) => about);
  return (
    <AdminPage
      title="Dashboard"
      about={
        <>
          Signed in as {member.firstName} {member.lastName}. Readers find this knowledge base at{" "}
          <Link href="/" prefetch={false} className="wrap-anywhere">
            {workspaceUrl(workspace.subdomain, env().baseUrl)}
          </Link>
        </>
      }
    >
      {isNew && <Steps steps={open} />}
      <dl className="grid grid-cols-2 gap-3 md:grid-cols-3 lg:grid-cols-5">
        <Figure name="Published articles" value={counts.published} />
        <Figure name="Drafts" value={counts.drafts} about="Not published yet" />
        <Figure name="Changed since published" value={counts.differing} about="The draft differs from live" />
        {insights && (
          <>
            <Figure
              name="Searches without a result"
              value={insights.nothing}
              about="In the last 7 days"
              href="/admin/insights/without-result?period=7"
            />
            <Figure
              name="Links that lead nowhere"
              value={insights.broken}
              about="In published articles"
              href="/admin/insights/broken-links"
            />
          </>
        )}
      </dl>
      <div className="mt-8 grid gap-x-10 gap-y-8 md:grid-cols-2 [&>*]:min-w-0">
        {insights && (
          <Section title="Read in the last 7 days" more={{ href: "/admin/insights?period=7", name: "All insights" }}>
            <p className="mb-3">
              <strong className="text-lg font-semibold">{countOf(insights.views.total.now, "view")}</strong>.{" "}
              <span className="text-text-muted">
                {insights.views.total.now === 0
                  ? "Nothing has been read: as soon as somebody opens an article, it counts here."
                  : comparison(insights.views.total, "7")}
              </span>
            </p>
            {insights.views.total.now > 0 && (
              <BarChart
                small
                label={`Views of each of the last 7 days: ${insights.views.bars.join(", ")}`}
                columns={["Day", "Views"]}
                bars={insights.views.bars.map((value, index) => ({ ...barName(request.utc, index), value }))}
              />
            )}
          </Section>
        )}
        {changes && (
          <Section title="Newest changes" more={{ href: "/admin/audit", name: "Audit log" }}>
            {changes.length === 0 ? (
              <p className="text-text-muted">
                Nobody has changed anything yet. Whatever people do is written down here.
              </p>
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
      {isNew && places.length > 0 && (
        <Section title="What is where" apart>
          <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
            {places.map(({ href, name, about }) => (
              <li key={href} className="rounded-md border border-border bg-surface-raised p-4">
                <Link href={href} prefetch={false} className="font-medium">
                  {name}
                </Link>
                <p className="mt-1 text-text-muted">{about}</p>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </AdminPage>
  );
}

/** Reads the numbers that the member's permissions allow: about readers, and about changes. */
async function readAll(read: Read, { utc, local, timeZone, origin, permissions }: InsightRequest) {
  const may = (permission: Permission) => permissions.includes(permission);
  return {
    counts: await contentCounts(read),
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
  const all: (Step & { permission?: Permission })[] = [
    {
      name: "Bring your articles",
      href: "/admin/import",
      about: "From another system, as a zip of Markdown or HTML.",
      done: steps.written,
      permission: "settings.manage",
    },
    {
      name: "Give it your colour and logo",
      href: "/admin/appearance",
      about: "So that readers know where they are.",
      done: steps.dressed,
      permission: "settings.manage",
    },
    {
      name: "Invite the others",
      href: "/admin/members/invite",
      about: "Several at once, each with a role.",
      done: steps.invited,
      permission: "members.manage",
    },
    {
      name: "Make an API key",
      href: "/admin/keys/new",
      about: "For the programs that read or write your articles.",
      done: steps.keyed,
      permission: "keys.manage",
    },
    { name: "Look at your site", href: "/", about: "Open an article, as readers do.", done: steps.seen },
  ];
  return all.filter(({ permission }) => !permission || permissions.includes(permission));
}

function Steps({ steps }: { steps: Step[] }) {
  const done = steps.filter((step) => step.done).length;
  return (
    <section aria-label="First steps" className="mb-8 rounded-md border border-border bg-surface-raised p-5">
      <h2 className="text-base">First steps</h2>
      <p className="mt-1 text-text-muted">
        {done} of {steps.length} done. They tick themselves off.
      </p>
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
                <>
                  {name} <span className="font-medium text-success">Done</span>
                </>
              ) : (
                <>
                  <Link href={href} prefetch={false} className="font-medium">
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

function Figure({ name, value, about, href }: { name: string; value: number; about?: string; href?: string }) {
  return (
    // The number comes first visually, so that all align, and its name first for screen readers.
    <div className="flex flex-col rounded-md border border-border bg-surface-raised px-4 py-3">
      <dt className="order-2">
        {href ? (
          <Link href={href} prefetch={false}>
            {name}
          </Link>
        ) : (
          name
        )}
      </dt>
      <dd className="order-1 pb-0.5 text-lg font-semibold tabular-nums">{number(value)}</dd>
      {about && <dd className="order-3 text-text-muted">{about}</dd>}
    </div>
  );
}

function Section({
  title,
  more,
  apart = false,
  children,
}: {
  title: string;
  more?: { href: string; name: string };
  /** Adds space above. */
  apart?: boolean;
  children: ReactNode;
}) {
  return (
    <section aria-label={title} className={apart ? "mt-8" : ""}>
      <div className="mb-3 flex items-baseline justify-between gap-4">
        <h2 className="text-base">{title}</h2>
        {more && (
          <Link href={more.href} prefetch={false}>
            {more.name}
          </Link>
        )}
      </div>
      {children}
    </section>
  );
}
