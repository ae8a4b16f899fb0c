import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { AdminPage } from "@/components/admin/page";
import { countOf } from "@/components/ui/count";
import { Form, FormChoice, FormField } from "@/components/ui/form";
import { Section } from "@/components/ui/section";
import { findTag, listTagNames } from "@/lib/articles/tags";
import { readWorkspace } from "@/lib/db";
import { requireMember } from "@/lib/session";
import { submitMergeTag, submitRenameTag } from "../actions";

export const metadata: Metadata = { title: "Tag" };

/** The maximum number of tags to merge into. */
const MOST_CHOICES = 500;

interface Props {
  params: Promise<{ workspace: string; id: string }>;
}

export default async function TagPage({ params }: Props) {
  const { id } = await params;
  const { workspace } = await requireMember("articles.publish");
  const { tag, choices } = await readWorkspace(workspace.id, async (read) => ({
    tag: await findTag(read, id),
    // Two more: one may be this tag, and the other shows that there are more.
    choices: (await listTagNames(read, MOST_CHOICES + 2)).filter((other) => other.id !== id),
  }));
  if (!tag) notFound();
  const others = choices.slice(0, MOST_CHOICES);
  return (
    <AdminPage
      title={tag.name}
      about={
        <Link href={`/admin/articles?tag=${tag.id}`} prefetch={false}>
          {countOf(tag.articles, "article")}
        </Link>
      }
      path={[{ href: "/admin/tags", name: "Tags" }]}
    >
      <Form action={submitRenameTag} submit="Rename" busy="Renaming…">
        <input type="hidden" name="id" value={tag.id} />
        <FormField label="Name" name="name" defaultValue={tag.name} required maxLength={100} autoComplete="off" />
      </Form>
      {others.length > 0 && (
        <Section
          title="Merge into another tag"
          about="Articles with this tag get the other tag, and this tag is deleted."
        >
          <Form action={submitMergeTag} submit="Merge" busy="Merging…" look="plain">
            <input type="hidden" name="id" value={tag.id} />
            <FormChoice
              label="Tag"
              name="into"
              defaultValue={others[0]?.id ?? ""}
              options={others.map((other) => ({ value: other.id, name: other.name }))}
            />
            {choices.length > others.length && (
              <FormField
                label="Another tag"
                name="intoName"
                hint={`The list above shows the first ${MOST_CHOICES} tags. Enter the name of any other tag here.`}
                maxLength={100}
                autoComplete="off"
              />
            )}
          </Form>
        </Section>
      )}
    </AdminPage>
  );
}
