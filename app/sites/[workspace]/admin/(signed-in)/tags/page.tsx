import type { Metadata } from "next";
import Link from "next/link";
import { ListPage } from "@/components/admin/list-page";
import { Confirm } from "@/components/ui/confirm";
import { countOf, number } from "@/components/ui/count";
import { Filter, FilterSearch } from "@/components/ui/filter";
import { Table } from "@/components/ui/table";
import { listTags } from "@/lib/articles/tags";
import { readWorkspace } from "@/lib/db";
import { requireMember } from "@/lib/session";
import { pageAddress, pageOf, type Query, wordOf } from "../../_form";
import { submitDeleteTag } from "./actions";

export const metadata: Metadata = { title: "Tags" };

const SIZE = 50;

export default async function TagsPage({ searchParams }: { searchParams: Promise<Query> }) {
  const { workspace } = await requireMember("articles.publish");
  const query = await searchParams;
  const page = pageOf(query.page);
  const q = wordOf(query.q);
  const { tags, total } = await readWorkspace(workspace.id, (read) =>
    listTags(read, { search: q, limit: SIZE, offset: (page - 1) * SIZE }),
  );
  return (
    <ListPage
      title="Tags"
      about="Renaming, merging, or deleting a tag changes every article that has the tag."
      list={{
        page,
        size: SIZE,
        total,
        shown: tags.length,
        address: (at) => pageAddress("/admin/tags", { q }, at),
      }}
      isFiltered={q !== ""}
      filter={
        <Filter action="/admin/tags" isFiltered={q !== ""}>
          <FilterSearch label="Search tags" value={q} />
        </Filter>
      }
      empty={{
        title: "No tags yet",
        text: <p>Tags that you add to articles in the editor appear here.</p>,
      }}
      unmatched={{
        title: "No tags found",
        text: <p>Try a different name.</p>,
        all: { href: "/admin/tags", name: "Show all tags" },
      }}
    >
      <Table
        label="Tags"
        columns={["Name", "Articles", ""]}
        dense={["Articles"]}
        rows={tags.map((tag) => ({
          key: tag.id,
          cells: [
            <Link key="name" href={`/admin/tags/${tag.id}`} prefetch={false} className="font-medium wrap-anywhere">
              {tag.name}
            </Link>,
            <Link
              key="articles"
              href={`/admin/articles?tag=${tag.id}`}
              prefetch={false}
              aria-label={`${countOf(tag.articles, "article")} with the tag ${tag.name}`}
            >
              {number(tag.articles)}
            </Link>,
            <span key="delete" className="flex md:justify-end">
              <Confirm
                id={`delete-${tag.id}`}
                label="Delete"
                title={`Delete “${tag.name}”?`}
                action={submitDeleteTag}
                yes="Delete"
                fields={{ id: tag.id }}
              >
                {tag.articles === 0
                  ? "No article has this tag."
                  : `This removes the tag from ${countOf(tag.articles, "article")}. The articles stay.`}
              </Confirm>
            </span>,
          ],
        }))}
      />
    </ListPage>
  );
}
