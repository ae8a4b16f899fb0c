import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { AdminPage } from "@/components/admin/page";
import { number } from "@/components/ui/count";
import { Form, FormChoice, FormField } from "@/components/ui/form";
import { readWorkspace } from "@/lib/db";
import { requireMember } from "@/lib/session";
import { publicWorkspace } from "@/lib/site";
import { findTag, listTagNames } from "@/lib/tags";
import { submitMergeTag, submitRenameTag } from "../actions";

export const metadata: Metadata = { title: "Tag" };

/** How many tags there are to merge into. */
const MOST_CHOICES = 500;

interface Props {
  params: Promise<{ workspace: string; id: string }>;
}

export default async function TagPage({ params }: Props) {
  const { workspace: subdomain, id } = await params;
  const workspace = await publicWorkspace(subdomain);
  await requireMember(workspace.subdomain, "articles.publish");
  const { tag, choices } = await readWorkspace(workspace.id, async (read) => ({
    tag: await findTag(read, id),
    // One of them is this one, and one more says that there are more.
    choices: (await listTagNames(read, MOST_CHOICES + 2)).filter((other) => other.id !== id),
  }));
  if (!tag) notFound();
  const others = choices.slice(0, MOST_CHOICES);
  return (
    <AdminPage
      title={tag.name}
      about={
        <Link href={`/admin/articles?tag=${tag.id}`} prefetch={false}>
          {tag.articles === 1 ? "One article has it" : `${number(tag.articles)} articles have it`}
        </Link>
      }
      path={[{ href: "/admin/tags", name: "Tags" }]}
    >
      <Form action={submitRenameTag} submit="Rename" busy="Renaming …">
        <input type="hidden" name="id" value={tag.id} />
        <FormField label="Name" name="name" defaultValue={tag.name} required maxLength={100} autoComplete="off" />
      </Form>
      {others.length > 0 && (
        <section aria-labelledby="merge" className="mt-10 border-t border-border pt-6">
          <h2 id="merge" className="text-base">
            Merge into another tag
          </h2>
          <p className="mt-1.5 mb-4 max-w-[36rem] text-text-muted">
            Its articles have the other tag then, and this one is gone.
          </p>
          <Form action={submitMergeTag} submit="Merge" busy="Merging …" look="plain">
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
                hint={`Only the first ${MOST_CHOICES} by name stand above. Write the name of another one here.`}
                maxLength={100}
                autoComplete="off"
              />
            )}
          </Form>
        </section>
      )}
    </AdminPage>
  );
}
