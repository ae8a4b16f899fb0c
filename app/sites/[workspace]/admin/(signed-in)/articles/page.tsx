import type { Metadata } from "next";
import Link from "next/link";
import { BulkBar } from "@/components/admin/articles/bulk-bar";
import { MoveChoice } from "@/components/admin/articles/move-choice";
import { smallField } from "@/components/admin/articles/small-field";
import { ListPage } from "@/components/admin/list-page";
import { Button, ButtonLink } from "@/components/ui/button";
import { countOf, number } from "@/components/ui/count";
import { Choice, Field } from "@/components/ui/field";
import { Filter } from "@/components/ui/filter";
import { FormChoice } from "@/components/ui/form";
import { Moment } from "@/components/ui/moment";
import { State } from "@/components/ui/state";
import { Table } from "@/components/ui/table";
import { listAuthors, listWrittenArticles, type WrittenArticle } from "@/lib/articles/list";
import { findTag, listTagNames } from "@/lib/articles/tags";
import { listCategoryTree } from "@/lib/categories/tree";
import { readWorkspace } from "@/lib/db";
import { requireMember } from "@/lib/session";
import { pageAddress, pageOf, type Query } from "../../_form";
import { categoryChoices } from "../categories/_choices";
import { filterOf, type ListQuery, listQueryOf, sorts, stateNames, withoutNames } from "./_query";
import { submitBulk } from "./actions";

export const metadata: Metadata = { title: "Articles" };

const SIZE = 50;
/** The maximum number of tags in the choices. */
const MOST_TAGS = 200;
const FORM = "chosen-articles";

/** All articles, with search, filters and bulk changes. */
export default async function ArticlesPage({ searchParams }: { searchParams: Promise<Query> }) {
  const { workspace, member } = await requireMember("articles.write");
  const query = await searchParams;
  const filter = listQueryOf(query);
  const page = pageOf(query.page);
  const isFiltered = Object.entries(filter).some(([name, value]) => name !== "sort" && value !== "");
  const { sort = "changed", backwards = false } = sorts[filter.sort] ?? {};
  const part = { limit: SIZE, offset: (page - 1) * SIZE };
  const { listed, categories, authors, tags } = await readWorkspace(workspace.id, async (read) => {
    const listed = await listWrittenArticles(read, workspace.id, filterOf(filter), { sort, backwards, ...part });
    return {
      listed,
      categories: categoryChoices(await listCategoryTree(read)),
      authors: await listAuthors(read),
      tags: await tagChoices(filter.tag, await listTagNames(read, MOST_TAGS), (id) => findTag(read, id)),
    };
  });
  const address = (at: number) => pageAddress("/admin/articles", filter, at);
  const mayPublish = member.permissions.includes("articles.publish");
  const { articles, total } = listed;
  const chosen = typeof query.chosen === "string" ? query.chosen.split(",") : [];
  const from = new URL(address(page), "http://here").search;
  return (
    <ListPage
      title="Articles"
      about={total === 0 && !isFiltered ? undefined : aboutOf(total, isFiltered)}
      action={<ButtonLink href="/admin/articles/new">New article</ButtonLink>}
      list={{ page, size: SIZE, total, address, shown: articles.length }}
      isFiltered={isFiltered}
      filter={<Filters filter={filter} categories={categories} authors={authors} tags={tags} />}
      empty={{
        title: "No articles yet",
        text: <p>Write the first one: a question that people ask you again and again, and its answer.</p>,
      }}
      unmatched={{
        title: "No article fits",
        text: <p>No article has all of this. Leave something out, or look for other words.</p>,
        all: { href: "/admin/articles", name: "Show all articles" },
      }}
    >
      <form id={FORM} action={submitBulk}>
        <input type="hidden" name="from" value={from} />
        <Bulk categories={query.choose === "category" ? categories : null} mayPublish={mayPublish} />
        <Table
          label="Articles"
          columns={["Title", "State", "Category", "Author", "Views", "Changed"]}
          dense={["Views"]}
          rows={articles.map((article) => ({ key: article.id, cells: cellsOf(article, workspace.timeZone, chosen) }))}
        />
      </form>
    </ListPage>
  );
}

function aboutOf(total: number, isFiltered: boolean): string {
  return countOf(total, "article") + (isFiltered ? " that fit" : "");
}

async function tagChoices<T extends { id: string; name: string }>(
  chosen: string,
  tags: T[],
  find: (id: string) => Promise<T | null>,
): Promise<{ value: string; name: string }[]> {
  const other = chosen && !tags.some(({ id }) => id === chosen) ? await find(chosen) : null;
  return [...(other ? [other] : []), ...tags].map(({ id, name }) => ({ value: id, name }));
}

type Choices = { value: string; name: string }[];
type Narrowing = { label: string; name: keyof ListQuery; any: string; options: Choices };

function Filters({
  filter,
  categories,
  authors,
  tags,
}: {
  filter: ListQuery;
  categories: Choices;
  authors: { id: string; name: string }[];
  tags: Choices;
}) {
  const named = (names: Record<string, string>) => Object.entries(names).map(([value, name]) => ({ value, name }));
  const choices: Narrowing[] = [
    { label: "State", name: "state", any: "Any state", options: named(stateNames) },
    { label: "Category", name: "category", any: "Any category", options: categories },
    { label: "Author", name: "author", any: "Anybody", options: authors.map(({ id, name }) => ({ value: id, name })) },
    { label: "Tag", name: "tag", any: "Any tag", options: tags },
    { label: "Readers", name: "without", any: "All the same", options: named(withoutNames) },
  ];
  return (
    <Filter
      action="/admin/articles"
      columns="md:grid-cols-3 lg:grid-cols-6"
      inUse={choices.filter(({ name }) => filter[name] !== "").length + (filter.sort === "" ? 0 : 1)}
      isFiltered={[...choices.map(({ name }) => filter[name]), filter.q, filter.sort].some(Boolean)}
      more={
        <>
          <div className="md:col-span-2">
            <Choice
              label="Order"
              name="sort"
              defaultValue={filter.sort}
              options={Object.entries(sorts).map(([value, { name }]) => ({ value, name }))}
            />
          </div>
          {choices.map(({ label, name, any, options }) => (
            <FormChoice
              key={name}
              label={label}
              name={name}
              defaultValue={filter[name]}
              options={[{ value: "", name: any }, ...options]}
            />
          ))}
        </>
      }
    >
      <div className="md:col-span-3 lg:col-span-4">
        <Field label="Words of title or text" name="q" type="search" defaultValue={filter.q} maxLength={100} />
      </div>
    </Filter>
  );
}

/** @param categories null: scripts copy the choices from the filter, which already has them */
function Bulk({ categories, mayPublish }: { categories: Choices | null; mayPublish: boolean }) {
  const button = (action: string, name: string) => (
    <Button type="submit" name="do" value={action} look="plain" size="small">
      {name}
    </Button>
  );
  return (
    <BulkBar formId={FORM}>
      {/* Enter in the tag field adds the tag. */}
      <button type="submit" name="do" value="tag" hidden aria-hidden="true" tabIndex={-1} />
      {mayPublish && button("publish", "Publish")}
      {mayPublish && button("unpublish", "Unpublish")}
      <span className="flex min-w-0 gap-1.5">
        <MoveChoice options={categories} />
        {button("move", "Move")}
      </span>
      <span className="flex min-w-0 gap-1.5">
        <input
          name="tag"
          aria-label="Tag to give"
          placeholder="Tag"
          maxLength={100}
          autoComplete="off"
          className={`w-32 ${smallField}`}
        />
        {button("tag", "Tag")}
      </span>
      {button("delete", "Delete")}
    </BulkBar>
  );
}

function cellsOf(article: WrittenArticle, timeZone: string, chosen: readonly string[]) {
  const now = new Date();
  return [
    <span key="title" className="flex min-w-0 items-start gap-2.5">
      <input
        type="checkbox"
        name="id"
        value={article.id}
        defaultChecked={chosen.includes(article.id)}
        aria-label={`Choose ${article.title}`}
        className="mt-0.5 size-4 shrink-0 accent-accent"
      />
      <Link href={`/admin/articles/${article.id}`} prefetch={false} className="min-w-0 font-medium wrap-anywhere">
        {article.title}
      </Link>
    </span>,
    <span key="state" className="flex flex-wrap gap-x-2">
      {article.state === "draft" ? (
        <State tone="quiet">Draft</State>
      ) : (
        <State tone="good">{article.hasChanges ? "Published, with changes" : "Published"}</State>
      )}
      {article.publishAt && <State tone="quiet">{article.publishHeld ? "Scheduled, waits" : "Scheduled"}</State>}
    </span>,
    article.category.name,
    article.author,
    number(article.views),
    <Moment key="changed" at={article.changedAt} now={now} timeZone={timeZone} />,
  ];
}
