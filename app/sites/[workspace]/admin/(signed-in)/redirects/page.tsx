import type { Metadata } from "next";
import Link from "next/link";
import type { ReactNode } from "react";
import { AdminPage, type Told } from "@/components/admin/page";
import { Button, ButtonLink } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
import { Choice, Field } from "@/components/ui/field";
import { Filter } from "@/components/ui/filter";
import { Moment } from "@/components/ui/moment";
import { Pager } from "@/components/ui/pager";
import { State } from "@/components/ui/state";
import { Table } from "@/components/ui/table";
import { readWorkspace } from "@/lib/db";
import {
  findRedirect,
  findRemovedRedirect,
  listRedirects,
  type Redirect,
  type RedirectKind,
  redirectKinds,
} from "@/lib/redirects";
import { requireMember } from "@/lib/session";
import { publicWorkspace } from "@/lib/site";
import { idOf, pageAddress, pageOf, wordOf } from "../../_form";
import { effectOf, isAnotherSite } from "./_words";
import { submitRemoveRedirect, submitRestoreRedirect } from "./actions";

export const metadata: Metadata = { title: "Redirects" };

const SIZE = 25;

const kindNames: Record<RedirectKind, string> = {
  article: "An article",
  category: "A category",
  url: "Another page or site",
  gone: "Nowhere: it is gone",
  nowhere: "What is not published",
};

interface Props {
  params: Promise<{ workspace: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function RedirectsPage({ params, searchParams }: Props) {
  const workspace = await publicWorkspace((await params).workspace);
  const { timeZone } = await requireMember(workspace.subdomain, "settings.manage");
  const asked = await searchParams;
  const page = pageOf(asked.page);
  const filter = { q: wordOf(asked.q), leads: wordOf(asked.leads), made: wordOf(asked.made) };
  const isFiltered = Object.values(filter).some(Boolean);
  const of = idOf(asked.of);
  const { redirects, total, saved, removed } = await readWorkspace(workspace.id, async (read) => ({
    ...(await listRedirects(read, {
      search: filter.q,
      kind: redirectKinds.find((kind) => kind === filter.leads),
      byHand: filter.made === "" ? undefined : filter.made === "by-hand",
      limit: SIZE,
      offset: (page - 1) * SIZE,
    })),
    saved: of && asked.done ? await findRedirect(read, of) : null,
    removed: of && asked.done === "removed" ? await findRemovedRedirect(read, of) : null,
  }));
  const address = (at: number) => pageAddress("/admin/redirects", filter, at);
  const now = new Date();
  const add = <ButtonLink href="/admin/redirects/new">Add redirect</ButtonLink>;
  const isEmpty = total === 0 && !isFiltered && page === 1;
  return (
    <AdminPage
      title="Redirects"
      about="Old addresses, and where they lead. What is renamed, moved or removed leaves one by itself."
      action={!isEmpty && add}
      told={toldOf(wordOf(asked.done), { of, saved, removed }, address(page))}
    >
      {isEmpty ? (
        <Empty title="No redirects yet" action={add}>
          <p>
            When you rename an article or a category, its old address leads to the new one by itself. Add a redirect for
            addresses that come from elsewhere: the links of your former help pages, or a short one for print.
          </p>
        </Empty>
      ) : (
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
      )}
      {redirects.length === 0 && !isEmpty && (
        <Empty
          title="No redirect fits"
          action={
            <ButtonLink href="/admin/redirects" look="plain">
              Show all redirects
            </ButtonLink>
          }
        >
          <p>None has this in its old address, or in what it leads to. A part of an address or title is enough.</p>
        </Empty>
      )}
      {redirects.length > 0 && (
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
                <Moment at={redirect.createdAt} now={now} timeZone={timeZone} />{" "}
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
      )}
      <Pager page={page} size={SIZE} total={total} address={address} />
    </AdminPage>
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

interface Done {
  of: string | null;
  saved: Redirect | null;
  removed: string | null;
}

function toldOf(done: string, { of, saved, removed }: Done, close: string): Told | undefined {
  if (done === "not-restored") {
    return { text: "It is not back: its address has something else by now, or what it led to is not there.", close };
  }
  if (saved && (done === "saved" || done === "restored")) return { text: effectOf(saved), close };
  if (!removed || !of) return undefined;
  return {
    text: `The redirect from ${removed} is removed: who comes there finds nothing.`,
    close,
    undo: (
      <form action={submitRestoreRedirect}>
        <input type="hidden" name="id" value={of} />
        <Button type="submit" look="plain" size="small">
          Undo
        </Button>
      </form>
    ),
  };
}
