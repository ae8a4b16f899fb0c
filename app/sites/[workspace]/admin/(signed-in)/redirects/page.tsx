import type { Metadata } from "next";
import Link from "next/link";
import type { ReactNode } from "react";
import { ArticleTitle } from "@/components/admin/article-title";
import { ListPage } from "@/components/admin/list-page";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/button-link";
import { Filter, FilterChoice, FilterSearch } from "@/components/ui/filter";
import { Moment } from "@/components/ui/moment";
import { Table } from "@/components/ui/table";
import { readWorkspace } from "@/lib/db";
import type { Permission } from "@/lib/members/roles";
import { listRedirects, type Redirect, type RedirectKind, redirectKinds } from "@/lib/redirects/redirects";
import { requireMember } from "@/lib/session";
import { pageAddress, pageOf, type Query, wordOf } from "../../_form";
import { isAnotherSite } from "./_effect";
import { submitRemoveRedirect } from "./actions";

export const metadata: Metadata = { title: "Redirects" };

const SIZE = 25;

const kindNames: Record<RedirectKind, string> = {
  article: "Article",
  category: "Category",
  url: "Other URL",
  gone: "Page removed",
  nowhere: "Unpublished article",
};

export default async function RedirectsPage({ searchParams }: { searchParams: Promise<Query> }) {
  const { workspace, member } = await requireMember("settings.manage");
  const query = await searchParams;
  const page = pageOf(query.page);
  const filter = { q: wordOf(query.q), leads: wordOf(query.leads), source: wordOf(query.source) };
  const { redirects, total } = await readWorkspace(workspace.id, (read) =>
    listRedirects(read, {
      search: filter.q,
      kind: redirectKinds.find((kind) => kind === filter.leads),
      byHand: filter.source === "" ? undefined : filter.source === "manual",
      limit: SIZE,
      offset: (page - 1) * SIZE,
    }),
  );
  const now = new Date();
  const isFiltered = Object.values(filter).some(Boolean);
  return (
    <ListPage
      title="Redirects"
      about="Lectern adds a redirect when an article or category gets a new URL or is deleted."
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
        <Filter action="/admin/redirects" isFiltered={isFiltered}>
          <FilterSearch label="URL or title" value={filter.q} />
          <FilterChoice
            label="Destination"
            name="leads"
            value={filter.leads}
            any="Any destination"
            options={redirectKinds.map((kind) => ({ value: kind, name: kindNames[kind] }))}
          />
          <FilterChoice
            label="Source"
            name="source"
            value={filter.source}
            any="Any source"
            options={[
              { value: "manual", name: "Manual" },
              { value: "automatic", name: "Automatic" },
            ]}
          />
        </Filter>
      }
      empty={{
        title: "No redirects yet",
        text: <p>Add a redirect for links from an old help site or for a short URL in print.</p>,
      }}
      unmatched={{
        title: "No redirects found",
        text: <p>Try different filters.</p>,
        all: { href: "/admin/redirects", name: "Show all redirects" },
      }}
    >
      <Table
        label="Redirects"
        columns={["Old URL", "Destination", "Created", ""]}
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
            <Target key="target" redirect={redirect} permissions={member.permissions} />,
            <span key="made">
              <Moment at={redirect.createdAt} now={now} timeZone={member.timeZone} />{" "}
              <span className="whitespace-nowrap text-text-muted">
                {redirect.byHand ? "manually" : "automatically"}
              </span>
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

function Target({
  redirect: { id, fromPath, target },
  permissions,
}: {
  redirect: Redirect;
  permissions: Permission[];
}): ReactNode {
  switch (target.kind) {
    case "article":
      return <ArticleTitle article={target} permissions={permissions} />;
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
          <Badge tone="quiet">Page removed</Badge>
          <Link href={`/admin/redirects/${id}`} prefetch={false} aria-label={`Redirect ${fromPath}`}>
            Redirect
          </Link>
        </span>
      );
  }
}
