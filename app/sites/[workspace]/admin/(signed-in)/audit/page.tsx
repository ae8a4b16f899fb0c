import type { Metadata } from "next";
import Link from "next/link";
import type { ReactNode } from "react";
import { AdminPage } from "@/components/admin/page";
import { Button, ButtonLink } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
import { Choice, Field } from "@/components/ui/field";
import { Filter } from "@/components/ui/filter";
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
      about={`Who changed what, when and from where. Nobody can change or remove an entry. Days and times are those of ${timeZone}.`}
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
      <Filter
        action="/admin/audit"
        columns="md:grid-cols-2 lg:grid-cols-[repeat(3,minmax(0,1fr))_9.5rem_9.5rem_auto]"
        isFiltered={isFiltered}
        inUse={[subject, action, from, to].filter(Boolean).length}
        more={
          <>
            <Choice
              label="Kind of thing"
              name="subject"
              defaultValue={subject}
              options={[{ value: "", name: "Anything" }, ...named(choices.subjects, subject, capitalized)]}
            />
            <Choice
              label="What was done"
              name="action"
              defaultValue={action}
              options={[{ value: "", name: "Whatever" }, ...named(choices.actions, action, actionName)]}
            />
            <Field label="From" name="from" type="date" defaultValue={from} />
            <Field label="To" name="to" type="date" defaultValue={to} />
          </>
        }
      >
        <Choice
          label="Who"
          name="actor"
          defaultValue={actor}
          options={[{ value: "", name: "Anybody" }, ...withChosen(choices.actors, actor)]}
        />
      </Filter>
      {entries.length === 0 ? (
        <Empty
          title={isFiltered ? "Nothing fits" : "Nothing has happened yet"}
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
              ? "Nothing of this kind was done by whom you chose, in these days."
              : "Here stands every change of members, keys, settings and what readers see, as soon as somebody makes one."}
          </p>
        </Empty>
      ) : (
        <Table
          label="Audit log"
          columns={["What happened", "From", "When"]}
          rows={entries.map((entry) => ({
            key: entry.id,
            cells: [
              <Fold key="what" summary={<span className="min-w-0 break-words">{sentenceOf(entry)}</span>}>
                <Details entry={entry} timeZone={timeZone} filter={filter} />
              </Fold>,
              <span key="from" className="whitespace-nowrap text-text-muted">
                {entry.ip ?? "Not from the network"}
              </span>,
              <Moment key="when" at={entry.at} now={now} timeZone={timeZone} />,
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

/** All details of an entry. */
function Details({ entry, timeZone, filter }: { entry: AuditEntry; timeZone: string; filter: AuditFilter }) {
  const { at, actor, subject, action, details, ip, requestId } = entry;
  const exact = new Intl.DateTimeFormat("en", { dateStyle: "long", timeStyle: "medium", timeZone }).format(at);
  const href = addressOfSubject(entry);
  const rows: [name: string, value: ReactNode][] = [
    ["When", `${exact}, ${timeZone}`],
    ["Who", actor.kind === "api_key" ? `API key “${actor.name}”` : actor.name],
    ["Done", action],
    ["To", `${wordsOf(subject.kind)} ${subject.name}`],
    ...Object.entries(details).map(([name, value]): [string, ReactNode] => [capitalized(name), String(value)]),
    ["Network address", ip ?? "None: not from the network"],
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
      <p className="flex flex-wrap gap-x-4 gap-y-1">
        {href && (
          <Link href={href} prefetch={false}>
            Open {subject.person ?? subject.name}
          </Link>
        )}
        {actor.id && actor.id !== filter.actor && (
          <Link href={auditAddress("/admin/audit", { actor: actor.id, timeZone })} prefetch={false}>
            All that {actor.person ?? actor.name} did
          </Link>
        )}
      </p>
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
