import type { Metadata } from "next";
import Link from "next/link";
import type { ReactNode } from "react";
import { AdminPage } from "@/components/admin/page";
import { Button } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/button-link";
import { Empty } from "@/components/ui/empty";
import { Filter, FilterChoice, FilterCombobox, FilterDate } from "@/components/ui/filter";
import { Fold } from "@/components/ui/fold";
import { Moment } from "@/components/ui/moment";
import { OlderNewer } from "@/components/ui/older-newer";
import { Table } from "@/components/ui/table";
import { type AuditEntry, type AuditFilter, auditChoices, listAuditEntries } from "@/lib/audit/audit-log";
import { readWorkspace } from "@/lib/db";
import { requireMember } from "@/lib/session";
import type { Query } from "../../_form";
import { auditAddress, auditFilterOf, placeOf, placeText } from "./_query";
import { actionName, addressOfSubject, sentenceOf, wordsOf } from "./_words";

export const metadata: Metadata = { title: "Audit log" };

const SIZE = 50;

interface Props {
  searchParams: Promise<Query>;
}

export default async function AuditPage({ searchParams }: Props) {
  const {
    workspace,
    member: { timeZone },
  } = await requireMember("settings.manage");
  const query = await searchParams;
  const filter = auditFilterOf(query, timeZone);
  const { entries, hasNewer, hasOlder, choices } = await readWorkspace(workspace.id, async (read) => ({
    ...(await listAuditEntries(read, filter, {
      before: placeOf(query.before),
      after: placeOf(query.after),
      limit: SIZE,
    })),
    choices: await auditChoices(read),
  }));
  const now = new Date();
  const { actor, subject, action, from, to } = filter;
  const isFiltered = [actor, subject, action, from, to].some(Boolean);
  const address = (place: Record<string, string>) => auditAddress("/admin/audit", filter, place);
  const [first, last] = [entries[0], entries.at(-1)];
  return (
    <AdminPage
      title="Audit log"
      about={`Times are in ${timeZone.replaceAll("_", " ")}.`}
      action={
        <form action="/admin/audit/csv">
          {Object.entries({ actor, subject, action, from, to }).map(
            ([name, value]) => value && <input key={name} type="hidden" name={name} value={value} />,
          )}
          <Button type="submit" look="plain">
            Download CSV
          </Button>
        </form>
      }
    >
      <Filter action="/admin/audit" isFiltered={isFiltered}>
        <FilterCombobox
          label="Actor"
          name="actor"
          value={actor ?? ""}
          any="Any actor"
          options={withChosen(choices.actors, actor)}
        />
        <FilterChoice
          label="Object type"
          name="subject"
          value={subject ?? ""}
          any="Any object type"
          options={named(choices.subjects, subject, capitalized)}
        />
        <FilterChoice
          label="Action"
          name="action"
          value={action ?? ""}
          any="Any action"
          options={named(choices.actions, action, actionName)}
        />
        <FilterDate label="From" name="from" value={from ?? ""} />
        <FilterDate label="To" name="to" value={to ?? ""} />
      </Filter>
      {entries.length === 0 ? (
        <Empty
          title={isFiltered ? "No results" : "No activity yet"}
          action={
            isFiltered && (
              <ButtonLink href="/admin/audit" look="plain">
                Show all entries
              </ButtonLink>
            )
          }
        >
          <p>
            {isFiltered
              ? "Try different filters."
              : "Publishing, settings changes, sign-ins, and other actions appear here."}
          </p>
        </Empty>
      ) : (
        <Table
          label="Audit log"
          columns={["Event", "IP address", "Time", ""]}
          rows={entries.map((entry) => ({
            key: entry.id,
            cells: [
              <Fold key="what" summary={<span className="min-w-0 break-words">{sentenceOf(entry)}</span>}>
                <Details entry={entry} timeZone={timeZone} filter={filter} />
              </Fold>,
              <span key="from" className="whitespace-nowrap text-text-muted">
                {entry.ip ?? "–"}
              </span>,
              <Moment key="when" at={entry.at} now={now} timeZone={timeZone} />,
              <Subject key="subject" entry={entry} />,
            ],
          }))}
        />
      )}
      <OlderNewer
        newest={address({})}
        newer={hasNewer && first ? address({ after: placeText(first) }) : null}
        older={hasOlder && last ? address({ before: placeText(last) }) : null}
      />
    </AdminPage>
  );
}

/** A link to what an entry is about. */
function Subject({ entry }: { entry: AuditEntry }) {
  const href = addressOfSubject(entry);
  return (
    href && (
      <Link href={href} prefetch={false} className="no-underline hover:underline">
        Open<span className="sr-only"> {entry.subject.person ?? entry.subject.name}</span>
      </Link>
    )
  );
}

/** All details of an entry. */
function Details({ entry, timeZone, filter }: { entry: AuditEntry; timeZone: string; filter: AuditFilter }) {
  const { at, actor, subject, action, details, ip, requestId } = entry;
  const exact = new Intl.DateTimeFormat("en", { dateStyle: "long", timeStyle: "medium", timeZone }).format(at);

  const rows: [name: string, value: ReactNode][] = [
    ["Time", `${exact}, ${timeZone}`],
    ["Actor", actor.kind === "api_key" ? `API key “${actor.name}”` : actor.name],
    ["Action", action],
    ["Object", `${wordsOf(subject.kind)} ${subject.name}`],
    ...Object.entries(details).map(([name, value]): [string, ReactNode] => [capitalized(name), String(value)]),
    ["IP address", ip ?? "None"],
    ["Request", requestId ?? "None"],
  ];
  return (
    <div className="mb-3 ml-[1.125rem] grid gap-3 border-l border-border pl-4">
      <dl className="grid gap-x-4 gap-y-1 sm:grid-cols-[8.5rem_minmax(0,1fr)]">
        {rows.map(([name, value], index) => (
          <div key={index} className="contents">
            <dt className="text-text-muted">{name}</dt>
            <dd className="min-w-0 wrap-anywhere whitespace-pre-line">{value}</dd>
          </div>
        ))}
      </dl>
      {actor.id && actor.id !== filter.actor && (
        <p>
          <Link href={auditAddress("/admin/audit", { actor: actor.id, timeZone })} prefetch={false}>
            All activity by {actor.person ?? actor.name}{" "}
          </Link>
        </p>
      )}
    </div>
  );
}

function capitalized(name: string): string {
  const words = wordsOf(name);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function named(values: string[], chosen: string | undefined, nameOf: (value: string) => string) {
  return withChosen(
    values.map((value) => ({ value, name: nameOf(value) })),
    chosen,
  );
}

/** The form also shows a value that the log does not contain. */
function withChosen(options: { value: string; name: string }[], chosen: string | undefined) {
  if (!chosen || options.some(({ value }) => value === chosen)) return options;
  return [...options, { value: chosen, name: chosen }];
}
