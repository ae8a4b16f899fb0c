import type { Metadata } from "next";
import Link from "next/link";
import { BulkBar } from "@/components/admin/articles/bulk-bar";
import { MoveChoice } from "@/components/admin/articles/move-choice";
import { smallField } from "@/components/admin/articles/small-field";
import { AdminPage } from "@/components/admin/page";
import { Button, ButtonLink } from "@/components/ui/button";
import { countOf, number } from "@/components/ui/count";
import { Empty } from "@/components/ui/empty";
import { Choice, Field } from "@/components/ui/field";
import { Filter } from "@/components/ui/filter";
import { FormChoice } from "@/components/ui/form";
import { Moment } from "@/components/ui/moment";
import { Pager } from "@/components/ui/pager";
import { State } from "@/components/ui/state";
import { Table } from "@/components/ui/table";
import { listDeletedArticles } from "@/lib/articles/deleted";
import { listAuthors, listWrittenArticles, type WrittenArticle } from "@/lib/articles/list";
import { listCategoryTree } from "@/lib/categories/tree";
import { readWorkspace } from "@/lib/db";
import { requireMember } from "@/lib/session";
import { publicWorkspace } from "@/lib/site";
import { findTag, listTagNames } from "@/lib/tags";
import { pageAddress, pageOf } from "../../_form";
import { categoryChoices } from "../categories/_choices";
import { type Asked, askedOf, DELETED, filterOf, sorts, stateNames, withoutNames } from "./_asked";
import { DeletedArticles } from "./_deleted";
import { toldOf } from "./_told";
import { submitBulk } from "./actions";

export const metadata: Metadata = { title: "Articles" };

const SIZE = 50;
/** How many tags there are to choose from. */
const MOST_TAGS = 200;
const FORM = "chosen-articles";

interface Props {
  params: Promise<{ workspace: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** Every article for those who write them: found, filtered, and changed many at once. */
export default async function ArticlesPage({ params, searchParams }: Props) {
  const workspace = await publicWorkspace((await params).workspace);
  const member = await requireMember(workspace.subdomain, "articles.write");
  const query = await searchParams;
  const asked = askedOf(query);
  const page = pageOf(query.page);
  const isFiltered = Object.entries(asked).some(([name, value]) => name !== "sort" && value !== "");
  const { sort = "changed", backwards = false } = sorts[asked.sort] ?? {};
  const isOfDeleted = asked.state === DELETED;
  const place = { limit: SIZE, offset: (page - 1) * SIZE };
  const nothing = { articles: [], total: 0 };
  const { listed, deleted, categories, authors, tags } = await readWorkspace(workspace.id, async (read) => {
    if (isOfDeleted) {
      const deleted = await listDeletedArticles(read, { search: asked.q, ...place });
      return { listed: nothing, deleted, categories: [], authors: [], tags: [] };
    }
    const listed = await listWrittenArticles(read, workspace.id, filterOf(asked), { sort, backwards, ...place });
    // Of no articles at all it is told whether some can be brought back.
    const hasNone = listed.total === 0 && !isFiltered;
    return {
      listed,
      deleted: hasNone ? await listDeletedArticles(read, { limit: 0, offset: 0 }) : nothing,
      categories: categoryChoices(await listCategoryTree(read)),
      authors: await listAuthors(read),
      tags: await tagChoices(asked.tag, await listTagNames(read, MOST_TAGS), (id) => findTag(read, id)),
    };
  });
  const address = (at: number) => pageAddress("/admin/articles", asked, at);
  const mayPublish = member.permissions.includes("articles.publish");
  const { articles } = listed;
  const { total } = isOfDeleted ? deleted : listed;
  const isEmpty = total === 0 && !isFiltered && page === 1;
  const chosen = typeof query.chosen === "string" ? query.chosen.split(",") : [];
  const from = new URL(address(page), "http://here").search;
  const add = <ButtonLink href="/admin/articles/new">New article</ButtonLink>;
  return (
    <AdminPage
      title="Articles"
      about={isEmpty ? undefined : aboutOf(total, isOfDeleted, isFiltered)}
      action={!isEmpty && add}
      told={toldOf(query, address(page))}
    >
      {isEmpty ? (
        <Empty title="No articles yet" action={add}>
          <p>Write the first one: a question that people ask you again and again, and its answer.</p>
          {deleted.total > 0 && (
            <p className="mt-1.5">
              <Link href={`/admin/articles?state=${DELETED}`} prefetch={false}>
                What was deleted in the last day
              </Link>{" "}
              can still be brought back.
            </p>
          )}
        </Empty>
      ) : (
        <Filters asked={asked} categories={categories} authors={authors} tags={tags} />
      )}
      {isOfDeleted && deleted.articles.length > 0 && (
        <DeletedArticles
          articles={deleted.articles}
          mayPublish={mayPublish}
          timeZone={workspace.timeZone}
          from={from}
          chosen={chosen}
        />
      )}
      {articles.length + deleted.articles.length === 0 && !isEmpty && (
        <Empty
          title="No article fits"
          action={
            <ButtonLink href="/admin/articles" look="plain">
              Show all articles
            </ButtonLink>
          }
        >
          {isOfDeleted ? (
            <p>Nothing {asked.q === "" ? "" : "of this title "}was deleted in the last day that is not back already.</p>
          ) : (
            <p>No article has all of this. Leave something out, or look for other words.</p>
          )}
        </Empty>
      )}
      {articles.length > 0 && (
        <form id={FORM} action={submitBulk}>
          <input type="hidden" name="from" value={from} />
          <Bulk categories={query.done === "no-category" ? categories : null} mayPublish={mayPublish} />
          <Table
            label="Articles"
            columns={["Title", "State", "Category", "Author", "Views", "Changed"]}
            dense={["Views"]}
            rows={articles.map((article) => ({ key: article.id, cells: cellsOf(article, workspace.timeZone, chosen) }))}
          />
        </form>
      )}
      <Pager page={page} size={SIZE} total={total} address={address} />
    </AdminPage>
  );
}

function aboutOf(total: number, isOfDeleted: boolean, isFiltered: boolean): string {
  const articles = countOf(total, isOfDeleted ? "deleted article" : "article");
  return articles + (isOfDeleted ? " that can be brought back, for a day" : isFiltered ? " that fit" : "");
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
type Narrowing = { label: string; name: keyof Asked; any: string; options: Choices };

function Filters({
  asked,
  categories,
  authors,
  tags,
}: {
  asked: Asked;
  categories: Choices;
  authors: { id: string; name: string }[];
  tags: Choices;
}) {
  const named = (names: Record<string, string>) => Object.entries(names).map(([value, name]) => ({ value, name }));
  const isOfDeleted = asked.state === DELETED;
  const state: Narrowing = { label: "State", name: "state", any: "Any state", options: named(stateNames) };
  const others: Narrowing[] = [
    { label: "Category", name: "category", any: "Any category", options: categories },
    { label: "Author", name: "author", any: "Anybody", options: authors.map(({ id, name }) => ({ value: id, name })) },
    { label: "Tag", name: "tag", any: "Any tag", options: tags },
    { label: "Readers", name: "without", any: "All the same", options: named(withoutNames) },
  ];
  const choices = isOfDeleted ? [state] : [state, ...others];
  return (
    <Filter
      action="/admin/articles"
      columns="md:grid-cols-3 lg:grid-cols-6"
      inUse={choices.filter(({ name }) => asked[name] !== "").length + (asked.sort === "" ? 0 : 1)}
      isFiltered={[...choices.map(({ name }) => asked[name]), asked.q, asked.sort].some(Boolean)}
      more={
        <>
          {!isOfDeleted && (
            <div className="md:col-span-2">
              <Choice
                label="Order"
                name="sort"
                defaultValue={asked.sort}
                options={Object.entries(sorts).map(([value, { name }]) => ({ value, name }))}
              />
            </div>
          )}
          {choices.map(({ label, name, any, options }) => (
            <FormChoice
              key={name}
              label={label}
              name={name}
              defaultValue={asked[name]}
              options={[{ value: "", name: any }, ...options]}
            />
          ))}
        </>
      }
    >
      <div className="md:col-span-3 lg:col-span-4">
        <Field
          label={isOfDeleted ? "Words of the title" : "Words of title or text"}
          name="q"
          type="search"
          defaultValue={asked.q}
          maxLength={100}
        />
      </div>
    </Filter>
  );
}

/** @param categories null: as many as there can be stand in the filter already, where scripts find them */
function Bulk({ categories, mayPublish }: { categories: Choices | null; mayPublish: boolean }) {
  const button = (does: string, name: string) => (
    <Button type="submit" name="do" value={does} look="plain" size="small">
      {name}
    </Button>
  );
  return (
    <BulkBar formId={FORM}>
      {/* Enter in the field for a tag gives the tag. */}
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
