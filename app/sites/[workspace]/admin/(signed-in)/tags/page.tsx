import type { Metadata } from "next";
import Link from "next/link";
import { AdminPage, type Told } from "@/components/admin/page";
import { ButtonLink } from "@/components/ui/button";
import { Confirm } from "@/components/ui/confirm";
import { number } from "@/components/ui/count";
import { Empty } from "@/components/ui/empty";
import { Field } from "@/components/ui/field";
import { Filter } from "@/components/ui/filter";
import { Pager } from "@/components/ui/pager";
import { Table } from "@/components/ui/table";
import { readWorkspace } from "@/lib/db";
import { requireMember } from "@/lib/session";
import { publicWorkspace } from "@/lib/site";
import { findTag, listTags, type TagInUse } from "@/lib/tags";
import { idOf, pageAddress, pageOf, wordOf } from "../../_form";
import { submitDeleteTag } from "./actions";

export const metadata: Metadata = { title: "Tags" };

const SIZE = 50;

interface Props {
  params: Promise<{ workspace: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function TagsPage({ params, searchParams }: Props) {
  const workspace = await publicWorkspace((await params).workspace);
  await requireMember(workspace.subdomain, "articles.publish");
  const asked = await searchParams;
  const page = pageOf(asked.page);
  const q = wordOf(asked.q);
  const of = idOf(asked.of);
  const { tags, total, named } = await readWorkspace(workspace.id, async (read) => ({
    ...(await listTags(read, { search: q, limit: SIZE, offset: (page - 1) * SIZE })),
    named: of && asked.done ? await findTag(read, of) : null,
  }));
  const address = (at: number) => pageAddress("/admin/tags", { q }, at);
  return (
    <AdminPage
      title="Tags"
      about="What you change here is changed at all articles at once."
      told={toldOf(asked, named, address(page))}
    >
      {total === 0 && q === "" ? (
        <Empty title="No tags yet">
          <p>
            A tag is made when you give it to an article for the first time. Articles with the same tags stand together.
          </p>
        </Empty>
      ) : (
        <Filter action="/admin/tags" columns="sm:grid-cols-[minmax(0,24rem)_auto]">
          <Field label="Name" name="q" type="search" defaultValue={q} maxLength={100} />
        </Filter>
      )}
      {total === 0 && q !== "" && (
        <Empty
          title="No tag fits"
          action={
            <ButtonLink href="/admin/tags" look="plain">
              Show all tags
            </ButtonLink>
          }
        >
          <p>No tag has this in its name.</p>
        </Empty>
      )}
      {tags.length > 0 && (
        <Table
          label="Tags"
          columns={["Name", "Articles", ""]}
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
                aria-label={`${tag.articles} with ${tag.name}`}
              >
                {number(tag.articles)}
              </Link>,
              <span key="delete" className="flex md:justify-end">
                <Confirm
                  id={`delete-${tag.id}`}
                  label="Delete"
                  title={`Delete “${tag.name}”`}
                  action={submitDeleteTag}
                  yes="Delete"
                  fields={{ id: tag.id }}
                >
                  {tag.articles === 0
                    ? "No article has it."
                    : `${tag.articles === 1 ? "One article loses" : `${number(tag.articles)} articles lose`} it at once. The articles stay.`}
                </Confirm>
              </span>,
            ],
          }))}
        />
      )}
      <Pager page={page} size={SIZE} total={total} address={address} />
    </AdminPage>
  );
}

function toldOf(
  asked: Record<string, string | string[] | undefined>,
  tag: TagInUse | null,
  close: string,
): Told | undefined {
  const many = /^\d{1,6}$/.test(wordOf(asked.n)) ? Number(asked.n) : 0;
  if (asked.done === "deleted") {
    return {
      text: `The tag is deleted.${many > 0 ? ` ${number(many)} ${many === 1 ? "article" : "articles"} had it.` : ""}`,
      close,
    };
  }
  if (!tag) return undefined;
  if (asked.done === "renamed") return { text: `The tag is “${tag.name}” now.`, close };
  return asked.done === "merged" ? { text: `Their articles have “${tag.name}” now.`, close } : undefined;
}
