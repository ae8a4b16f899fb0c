import type { Metadata } from "next";
import Link from "next/link";
import { ListPage } from "@/components/admin/list-page";
import { ButtonLink } from "@/components/ui/button-link";
import { Confirm } from "@/components/ui/confirm";
import { countOf, number } from "@/components/ui/count";
import { Table } from "@/components/ui/table";
import { readWorkspace } from "@/lib/db";
import { requireMember } from "@/lib/session";
import { listSnippets } from "@/lib/snippets/snippets";
import { pageAddress, pageOf, type Query } from "../../_form";
import { DeletionNote, Updating } from "./_parts";
import { submitDeleteSnippet } from "./actions";

export const metadata: Metadata = { title: "Snippets" };

const SIZE = 50;

export default async function SnippetsPage({ searchParams }: { searchParams: Promise<Query> }) {
  const { workspace } = await requireMember("articles.publish");
  const page = pageOf((await searchParams).page);
  const { snippets, total, waiting } = await readWorkspace(workspace.id, (read) =>
    listSnippets(read, { limit: SIZE, offset: (page - 1) * SIZE }),
  );
  return (
    <ListPage
      title="Snippets"
      about="Reusable text. Changing a snippet updates every article that uses it."
      action={<ButtonLink href="/admin/snippets/new">Create snippet</ButtonLink>}
      list={{
        page,
        size: SIZE,
        total,
        shown: snippets.length,
        address: (at) => pageAddress("/admin/snippets", {}, at),
      }}
      above={
        waiting > 0 && (
          <div className="mb-4">
            <Updating articles={waiting} />
          </div>
        )
      }
      empty={{
        title: "No snippets yet",
        text: <p>Create a snippet for text that articles share, such as a support email.</p>,
      }}
    >
      <Table
        label="Snippets"
        columns={["Name", "Text", "Articles", ""]}
        dense={["Articles"]}
        rows={snippets.map(({ id, name, text, articles, drafts }) => ({
          key: id,
          cells: [
            <Link key="name" href={`/admin/snippets/${id}`} prefetch={false} className="font-medium wrap-anywhere">
              {name}
            </Link>,
            <span key="text" className="line-clamp-2 wrap-anywhere text-text-muted">
              {text}
            </span>,
            articles + drafts === 0 ? (
              "0"
            ) : (
              <Link
                key="articles"
                href={`/admin/snippets/${id}#articles`}
                prefetch={false}
                aria-label={`${countOf(articles + drafts, "article")} with the snippet ${name}`}
              >
                {number(articles + drafts)}
              </Link>
            ),
            <span key="delete" className="flex md:justify-end">
              <Confirm
                id={`delete-${id}`}
                label="Delete"
                title={`Delete “${name}”?`}
                action={submitDeleteSnippet}
                yes="Delete"
                fields={{ id }}
              >
                <DeletionNote name={name} articles={articles} drafts={drafts} />
              </Confirm>
            </span>,
          ],
        }))}
      />
    </ListPage>
  );
}
