import Link from "next/link";
import { ArticleTitle } from "@/components/admin/article-title";
import { Pager } from "@/components/ui/pager";
import { Table } from "@/components/ui/table";
import type { Permission } from "@/lib/members/roles";
import type { PinnedSearch } from "@/lib/pins/pins";
import { addressWith } from "../../_form";
import { UnpinForm } from "./_explained";

/** The searches that have pinned articles. */
export function PinnedResults({
  searches,
  permissions,
  pager,
}: {
  searches: PinnedSearch[];
  permissions: Permission[];
  pager: Parameters<typeof Pager>[0];
}) {
  if (pager.total === 0) {
    return (
      <p className="text-text-muted">
        No pinned results yet. Try a search above and pin the article that should come first.
      </p>
    );
  }
  return (
    <>
      <Table
        label="Pinned results"
        columns={["Search", "Articles"]}
        rows={searches.map((search) => rowOf(search, permissions))}
      />
      <Pager {...pager} />
    </>
  );
}

function rowOf({ term, articles }: PinnedSearch, permissions: Permission[]) {
  return {
    key: term,
    cells: [
      <Link key="term" href={addressWith("/admin/synonyms", { try: term })} prefetch={false} className="font-medium">
        {term}
      </Link>,
      <ol key="articles" className="grid gap-1">
        {articles.map((article) => (
          <li key={article.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
            <span className="min-w-0 break-words">
              <ArticleTitle article={article} permissions={permissions} />
            </span>
            <UnpinForm term={term} article={article} />
          </li>
        ))}
      </ol>,
    ],
  };
}
