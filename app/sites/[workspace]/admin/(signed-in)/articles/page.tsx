import type { Metadata } from "next";
import Link from "next/link";
import { BulkBar, BulkButton, SelectAll } from "@/components/admin/articles/bulk-bar";
import { ArticleMenu } from "@/components/admin/articles/row-menu";
import { ArticleStatus } from "@/components/admin/articles/status";
import { ListPage } from "@/components/admin/list-page";
import { tabLook } from "@/components/admin/tab-look";
import { TabStrip } from "@/components/admin/tab-strip";
import { Underway } from "@/components/admin/underway";
import { ButtonLink } from "@/components/ui/button-link";
import { Combobox, type ComboboxOption } from "@/components/ui/combobox";
import { countOf, number } from "@/components/ui/count";
import { fieldLook } from "@/components/ui/field-look";
import { Filter, FilterChoice, FilterCombobox, FilterSearch } from "@/components/ui/filter";
import { Moment } from "@/components/ui/moment";
import { Section } from "@/components/ui/section";
import { Submit } from "@/components/ui/submit";
import { Table } from "@/components/ui/table";
import { Toast } from "@/components/ui/toast";
import {
  type BulkReport,
  findBulkAction,
  isUnderway,
  listRunningBulk,
  MOST_IN_BULK,
  type RunningBulk,
} from "@/lib/articles/bulk";
import { listAuthors, listWrittenArticles, type WrittenArticle } from "@/lib/articles/list";
import { findTag, listTagNames } from "@/lib/articles/tags";
import { listUndoable, type RecentAction } from "@/lib/articles/undo";
import { listCategoryTree } from "@/lib/categories/tree";
import { readWorkspace } from "@/lib/db";
import { requireMember } from "@/lib/session";
import { addressWith, idOf, pageAddress, pageOf, type Query } from "../../_form";
import { categoryChoices } from "../categories/_choices";
import { doingOf, reportOf, undoOf } from "./_bulk";
import { filterOf, type ListQuery, listQueryOf, sortBy, sortOf, stateNames, withoutNames } from "./_query";
import { submitBulk, submitCancelBulk, submitDuplicate, submitUndo } from "./actions";

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
  const part = { limit: SIZE, offset: (page - 1) * SIZE };
  const bulkId = idOf(query.bulk);
  const { listed, categories, authors, tags, recent, running, bulk } = await readWorkspace(
    workspace.id,
    async (read) => {
      const listed = await listWrittenArticles(read, workspace.id, filterOf(filter), {
        ...sortOf(filter.sort),
        ...part,
      });
      return {
        listed,
        categories: categoryChoices(await listCategoryTree(read)),
        authors: await listAuthors(read),
        recent: await listUndoable(read, member.id),
        running: await listRunningBulk(read, member.id),
        bulk: bulkId ? await findBulkAction(read, bulkId, member.id) : null,
        tags: await tagChoices(filter.tag, await listTagNames(read, MOST_TAGS), (id) => findTag(read, id)),
      };
    },
  );
  const address = (at: number) => pageAddress("/admin/articles", filter, at);
  const mayPublish = member.permissions.includes("articles.publish");
  const { articles, total } = listed;
  const chosen = typeof query.chosen === "string" ? query.chosen.split(",") : [];
  const head = (column: "changed" | "title" | "views") => {
    const { name, direction } = sortBy(column, filter.sort);
    return { href: pageAddress("/admin/articles", { ...filter, sort: name }, 1), direction };
  };
  const above = new Map(categories.map(({ value, note = "" }) => [value, note]));
  const from = new URL(address(page), "http://here").search;
  return (
    <ListPage
      title="Articles"
      about={total === 0 && !isFiltered ? undefined : aboutOf(total, isFiltered)}
      action={<ButtonLink href="/admin/articles/new">New article</ButtonLink>}
      list={{ page, size: SIZE, total, address, shown: articles.length }}
      isFiltered={isFiltered}
      above={
        <>
          {running.map((one) => (
            <Running key={one.id} bulk={one} from={from} here={address(page)} />
          ))}
          {bulk && !isUnderway(bulk) && <Report bulk={bulk} from={from} here={address(page)} />}
        </>
      }
      filter={
        <>
          <Views filter={filter} memberId={member.id} />
          <Filters filter={filter} categories={categories} authors={authors} tags={tags} />
        </>
      }
      below={<Recent actions={recent} from={from} timeZone={member.timeZone} />}
      empty={{
        title: "No articles yet",
        text: <p>Answer a question that people often ask you.</p>,
      }}
      unmatched={{
        title: "No articles found",
        text: <p>Try different filters.</p>,
        all: { href: "/admin/articles", name: "Show all articles" },
      }}
    >
      <form id={FORM} action={submitBulk}>
        <input type="hidden" name="from" value={from} />
        <Bulk categories={categories} mayPublish={mayPublish} total={total} isFiltered={isFiltered} />
        <Table
          label="Articles"
          columns={[
            {
              name: "Title",
              before: <SelectAll formId={FORM} />,
              sort: head("title"),
              clip: true,
            },
            "Status",
            "Category",
            "Author",
            { name: "Views", align: "end", sort: head("views") },
            { name: "Updated", sort: head("changed") },
            { name: "", menu: true },
          ]}
          dense={["Views"]}
          rows={articles.map((article) => ({
            key: article.id,
            cells: cellsOf(article, { timeZone: member.timeZone, chosen, above, mayPublish }),
          }))}
        />
      </form>
    </ListPage>
  );
}

function aboutOf(total: number, isFiltered: boolean): string {
  return isFiltered ? countOf(total, "result") : countOf(total, "article");
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

function Filters({
  filter,
  categories,
  authors,
  tags,
}: {
  filter: ListQuery;
  categories: ComboboxOption[];
  authors: { id: string; name: string }[];
  tags: Choices;
}) {
  const named = (names: Record<string, string>) => Object.entries(names).map(([value, name]) => ({ value, name }));
  const people = authors.map(({ id, name }) => ({ value: id, name }));
  const { sort, ...narrowing } = filter;
  return (
    <Filter action="/admin/articles" kept={{ sort }} isFiltered={Object.values(narrowing).some(Boolean)}>
      <FilterSearch label="Search articles" value={filter.q} />
      <FilterChoice label="Status" name="state" value={filter.state} any="Any status" options={named(stateNames)} />
      <FilterCombobox
        label="Category"
        name="category"
        value={filter.category}
        any="Any category"
        options={categories}
      />
      <FilterCombobox label="Author" name="author" value={filter.author} any="Any author" options={people} />
      <FilterCombobox label="Tag" name="tag" value={filter.tag} any="Any tag" options={tags} />
      <FilterChoice
        label="Reader activity"
        name="without"
        value={filter.without}
        any="Any reader activity"
        options={named(withoutNames)}
      />
    </Filter>
  );
}

function Bulk({
  categories,
  mayPublish,
  total,
  isFiltered,
}: {
  categories: ComboboxOption[];
  mayPublish: boolean;
  total: number;
  isFiltered: boolean;
}) {
  const all = aboutOf(Math.min(total, MOST_IN_BULK), isFiltered);
  const button = (action: string, name: string, busy: string) => (
    <BulkButton name="do" value={action} busy={busy}>
      {name}
    </BulkButton>
  );
  return (
    <BulkBar
      formId={FORM}
      {...(total > SIZE && {
        everything: {
          total: Math.min(total, MOST_IN_BULK),
          name: total > MOST_IN_BULK ? `first ${all}` : `all ${all}`,
        },
      })}
    >
      {/* Enter in the tag field adds the tag. */}
      <button type="submit" name="do" value="tag" hidden aria-hidden="true" tabIndex={-1} />
      {mayPublish && button("publish", "Publish", "Publishing…")}
      {mayPublish && button("unpublish", "Unpublish", "Unpublishing…")}
      <span className="flex min-w-0 gap-1.5">
        <span className="flex w-36">
          <Combobox
            name="category"
            aria-label="Category to move to"
            size="small"
            none="Move to…"
            options={categories}
          />
        </span>
        {button("move", "Move", "Moving…")}
      </span>
      <span className="flex min-w-0 gap-1.5">
        <input
          name="tag"
          aria-label="Tag to add"
          placeholder="Add tag"
          maxLength={100}
          autoComplete="off"
          className={`w-24 ${fieldLook.small}`}
        />
        {button("tag", "Tag", "Tagging…")}
      </span>
      {button("delete", "Delete", "Deleting…")}
    </BulkBar>
  );
}

/** Filters that are often wanted, as links. */
function Views({ filter, memberId }: { filter: ListQuery; memberId: string }) {
  const { sort, ...narrowing } = filter;
  const views: { name: string; query: Partial<ListQuery> }[] = [
    { name: "All", query: {} },
    { name: "My drafts", query: { author: memberId, state: "draft" } },
    { name: "Unpublished changes", query: { state: "changed" } },
    { name: "Scheduled", query: { state: "scheduled" } },
    { name: "On hold", query: { state: "held" } },
    { name: "No views", query: { without: "views" } },
  ];
  const shown = addressWith("", narrowing);
  return (
    <TabStrip label="Views" look="mb-4">
      {views.map(({ name, query }) => (
        <li key={name}>
          <Link
            href={addressWith("/admin/articles", { ...listQueryOf(query), sort })}
            prefetch={false}
            aria-current={addressWith("", listQueryOf(query)) === shown ? "page" : undefined}
            className={tabLook}
          >
            {name}
          </Link>
        </li>
      ))}
    </TabStrip>
  );
}

/** A bulk action of the member that a job is working on. */
function Running({ bulk, from, here }: { bulk: RunningBulk; from: string; here: string }) {
  return (
    <div className="mb-6 rounded-md border border-border bg-surface-raised p-4">
      <Underway doing={doingOf(bulk)} done={bulk.done} total={bulk.total} here={here}>
        {bulk.state === "running" && (
          <form action={submitCancelBulk}>
            <input type="hidden" name="bulk" value={bulk.id} />
            <input type="hidden" name="from" value={from} />
            <Submit busy="Canceling…" look="plain" size="small">
              Cancel
            </Submit>
          </form>
        )}
      </Underway>
    </div>
  );
}

/** What a bulk action did that this page has shown the progress of. */
function Report({ bulk, from, here }: { bulk: BulkReport; from: string; here: string }) {
  return (
    <Toast text={reportOf(bulk)} here={here}>
      {undoOf(bulk) && <UndoBulk batch={bulk.id} from={from} />}
    </Toast>
  );
}

function UndoBulk({ batch, from }: { batch: string; from: string }) {
  return (
    <form action={submitUndo}>
      <input type="hidden" name="from" value={from} />
      <input type="hidden" name="batch" value={batch} />
      <Submit busy="Undoing…" look="plain" size="small">
        Undo
      </Submit>
    </form>
  );
}

const done: Record<RecentAction["action"], string> = {
  published: "Published",
  unpublished: "Unpublished",
  moved: "Moved",
  tagged: "Tagged",
  deleted: "Deleted",
};

/** The member's last bulk actions, which can be undone here after their message is gone. */
function Recent({ actions, from, timeZone }: { actions: RecentAction[]; from: string; timeZone: string }) {
  if (actions.length === 0) return null;
  const now = new Date();
  return (
    <div className="mt-8">
      <Section title="Your recent changes" about="You can undo each change for an hour.">
        <ul className="grid gap-2">
          {actions.map(({ batch, action, articles, at, to }) => (
            <li key={batch} className="flex items-center gap-4">
              <span>
                {done[action]} {countOf(articles, "article")}
                {to !== null && (action === "tagged" ? ` “${to}”` : ` to ${to}`)}{" "}
                <span className="text-text-muted">
                  <Moment at={at} now={now} timeZone={timeZone} />
                </span>
              </span>
              <UndoBulk batch={batch} from={from} />
            </li>
          ))}
        </ul>
      </Section>
    </div>
  );
}

/** A category and the path to it, which is shortened first. */
function CategoryPath({ above, name }: { above: string | undefined; name: string }) {
  return (
    <span title={above ? `${above} / ${name}` : name} className="flex max-w-52">
      {above && (
        <>
          <span className="min-w-0 shrink-[99] truncate text-text-muted">{above}</span>
          <span className="shrink-0 whitespace-pre text-text-muted"> / </span>
        </>
      )}
      <span className="min-w-0 truncate">{name}</span>
    </span>
  );
}

function cellsOf(
  article: WrittenArticle,
  {
    timeZone,
    chosen,
    above,
    mayPublish,
  }: { timeZone: string; chosen: readonly string[]; above: Map<string, string>; mayPublish: boolean },
) {
  const now = new Date();
  const { id, title, category, author, editor } = article;
  return [
    <span key="title" className="flex min-w-0 items-center gap-2.5">
      <input
        type="checkbox"
        name="id"
        value={id}
        defaultChecked={chosen.includes(id)}
        aria-label={`Select ${title}`}
        className="size-4 shrink-0 accent-accent"
      />
      <Link href={`/admin/articles/${id}`} prefetch={false} title={title} className="min-w-0 font-medium md:truncate">
        {title}
      </Link>
    </span>,
    <ArticleStatus key="status" article={article} />,
    <CategoryPath key="category" above={above.get(category.id)} name={category.name} />,
    <span key="author" className="block max-w-36 truncate">
      {author}
    </span>,
    number(article.views),
    <span key="updated" className="block max-w-52 truncate" title={editor ? `Last edited by ${editor}` : undefined}>
      <Moment at={article.changedAt} now={now} timeZone={timeZone} />
      {editor && editor !== author && <span className="text-text-muted"> by {editor}</span>}
    </span>,
    <ArticleMenu
      key="menu"
      id={id}
      title={title}
      path={article.state === "published" ? `/articles/${article.slug}` : null}
      hasDraft={article.state === "draft" || article.hasChanges}
      mayPublish={mayPublish}
      formId={FORM}
      duplicate={submitDuplicate}
    />,
  ];
}
