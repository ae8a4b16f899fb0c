import type { Metadata } from "next";
import Link from "next/link";
import type { ReactNode } from "react";
import { ListPage } from "@/components/admin/list-page";
import { Button, ButtonLink } from "@/components/ui/button";
import { Choice, Field } from "@/components/ui/field";
import { Filter } from "@/components/ui/filter";
import { Moment } from "@/components/ui/moment";
import { State } from "@/components/ui/state";
import { Table } from "@/components/ui/table";
import { readWorkspace } from "@/lib/db";
import { listRedirects, type Redirect, type RedirectKind, redirectKinds } from "@/lib/redirects/redirects";
import { requireMember } from "@/lib/session";
import { pageAddress, pageOf, type Query, wordOf } from "../../_form";
import { isAnotherSite } from "./_effect";
import { submitRemoveRedirect } from "./actions";

export const metadata: Metadata = { title: "Redirects" };

const SIZE = 25;

const kindNames: Record<RedirectKind, string> = {
  article: "An article",
  category: "A category",
  url: "Another page or site",
  gone: "Nowhere: it is gone",
  nowhere: "What is not published",
};

export default async function RedirectsPage({ searchParams }: { searchParams: Promise<Query> }) {
  const { workspace, member } = await requireMember("settings.manage");
  const query = await searchParams;
  const page = pageOf(query.page);
  const filter = { q: wordOf(query.q), leads: wordOf(query.leads), made: wordOf(query.made) };
  const { redirects, total } = await readWorkspace(workspace.id, (read) =>
    listRedirects(read, {
      search: filter.q,
      kind: redirectKinds.find((kind) => kind === filter.leads),
      byHand: filter.made === "" ? undefined : filter.made === "by-hand",
      limit: SIZE,
      offset: (page - 1) * SIZE,
    }),
  );
  const now = new Date();
  const isFiltered = Object.values(filter).some(Boolean);
  return (
    <ListPage
      title="Redirects"
      about="Old addresses, and where they lead. What is renamed, moved or removed leaves one by itself."
      action={<ButtonLink href="/admin/redirects/new">Add redirect</ButtonLink>}
      list={{
        page,
        size: SIZE,
        total,
        shown: redirects.length,
        address: (at) => pageAddress("/admin/redirects", filter, at),
      }}
      isFiltered={isFiltered}
      filter={
        <Filter
          action="/admin/redirects"
          columns="md:grid-cols-[minmax(0,1fr)_12.5rem_9rem_auto]"
          isFiltered={isFiltered}
          inUse={[filter.leads, filter.made].filter(Boolean).length}
          more={
            <>
              <Choice
                label="Leads to"
                name="leads"
                defaultValue={filter.leads}
                options={[
                  { value: "", name: "Anything" },
                  ...redirectKinds.map((kind) => ({ value: kind, name: kindNames[kind] })),
                ]}
              />
              <Choice
                label="Made"
                name="made"
                defaultValue={filter.made}
                options={[
                  { value: "", name: "Either way" },
                  { value: "by-hand", name: "By hand" },
                  { value: "by-itself", name: "By itself" },
                ]}
              />
            </>
          }
        >
          <Field label="Address or title" name="q" type="search" defaultValue={filter.q} maxLength={100} />
        </Filter>
      }
      empty={{
        title: "No redirects yet",
        text: (
          <p>
            When you rename an article or a category, its old address leads to the new one by itself. Add a redirect for
            addresses that come from elsewhere: the links of your former help pages, or a short one for print.
          </p>
        ),
      }}
      unmatched={{
        title: "No redirect fits",
        text: <p>None has this in its old address, or in what it leads to. A part of an address or title is enough.</p>,
        all: { href: "/admin/redirects", name: "Show all redirects" },
      }}
    >
      <Table
        label="Redirects"
        columns={["Old address", "Leads to", "Made", ""]}
        rows={redirects.map((redirect) => ({
          key: redirect.id,
          cells: [
            <Link
              key="from"
              href={`/admin/redirects/${redirect.id}`}
              prefetch={false}
              className="font-medium wrap-anywhere"
            >
              {redirect.fromPath}
            </Link>,
            <Target key="target" redirect={redirect} />,
            <span key="made">
              <Moment at={redirect.createdAt} now={now} timeZone={member.timeZone} />{" "}
              <span className="whitespace-nowrap text-text-muted">{redirect.byHand ? "by hand" : "by itself"}</span>
            </span>,
            <form key="remove" action={submitRemoveRedirect} className="flex md:justify-end">
              <input type="hidden" name="id" value={redirect.id} />
              <Button type="submit" look="plain" size="small" aria-label={`Remove ${redirect.fromPath}`}>
                Remove
              </Button>
            </form>,
          ],
        }))}
      />
    </ListPage>
  );
}

function Target({ redirect: { id, fromPath, target } }: { redirect: Redirect }): ReactNode {
  switch (target.kind) {
    case "article":
      if (target.published) return <a href={`/articles/${target.slug}`}>{target.title}</a>;
      return (
        <>
          {target.title} <State tone="bad">Not published</State>
        </>
      );
    case "category":
      return (
        <>
          <a href={`/categories/${target.slug}`}>{target.name}</a> <span className="text-text-muted">(category)</span>
        </>
      );
    case "url":
      return (
        <span className="wrap-anywhere">
          <a href={target.url} rel="noreferrer">
            {target.url}
          </a>
          {isAnotherSite(target.url) && <span className="text-text-muted"> (another site)</span>}
        </span>
      );
    case "gone":
      return (
        <span className="flex flex-wrap items-center gap-x-2.5">
          <State tone="quiet">Gone</State>
          <Link href={`/admin/redirects/${id}`} prefetch={false} aria-label={`Give ${fromPath} a new address`}>
            Give it a new address
          </Link>
        </span>
      );
  }
}
