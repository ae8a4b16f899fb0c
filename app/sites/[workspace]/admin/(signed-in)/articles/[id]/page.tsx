import type { Metadata } from "next";
import { cookies } from "next/headers";
import { notFound } from "next/navigation";
import { Desk } from "@/components/admin/writing/desk";
import { DETAILS, withAuthor } from "@/components/admin/writing/desk-article";
import { drawerCookie } from "@/components/ui/drawer-cookie";
import { FormChoice, FormCombobox, FormField } from "@/components/ui/form";
import { formatTime } from "@/components/ui/format-time";
import { openDraft } from "@/lib/articles/open-draft";
import { storedDraft } from "@/lib/articles/shared-draft";
import { listTagNames } from "@/lib/articles/tags";
import { listCategoryTree } from "@/lib/categories/tree";
import { readWorkspace } from "@/lib/db";
import { env } from "@/lib/env";
import { workspaceUrl } from "@/lib/http/host";
import { listMembers } from "@/lib/members/members";
import { requireMember } from "@/lib/session";
import { snippetChoices } from "@/lib/snippets/snippets";
import { idOf } from "../../../_form";
import { categoryChoices } from "../../categories/_choices";
import { submitDuplicate } from "../actions";
import { AddressForm, ScheduleForm } from "./_forms";
import { submitDraft, submitDropChanges, submitPublish, submitUnpublish } from "./actions";

export const metadata: Metadata = { title: "Edit" };

/** The maximum number of members and tags in the choices. */
const MOST_CHOICES = 200;

/** The page for editing an article. */
export default async function ArticlePage({ params }: { params: Promise<{ id: string }> }) {
  const { workspace, member } = await requireMember("articles.write");
  const id = idOf((await params).id);
  const { article, categories, tags, authors, snippets } = await readWorkspace(workspace.id, async (read) => ({
    article: id ? await openDraft(read, id) : null,
    categories: categoryChoices(await listCategoryTree(read)),
    tags: (await listTagNames(read, MOST_CHOICES)).map(({ name }) => name),
    authors: await listMembers(read, { active: true, limit: MOST_CHOICES, offset: 0 }),
    snippets: await snippetChoices(read),
  }));
  if (!article) notFound();
  const { state, permalink, category, author, publishAt, publishHeld } = article;
  const here = `/admin/articles/${article.id}`;
  const mayPublish = member.permissions.includes("articles.publish");
  const mayChange = state === "draft" || mayPublish;
  const schedule = publishAt && { at: formatTime(workspace.timeZone, publishAt), isHeld: publishHeld };
  const members = authors.members.map((one) => ({ value: one.id, name: `${one.firstName} ${one.lastName}` }));
  return (
    <Desk
      key={article.id}
      article={{
        ...{ id: article.id, state, permalink, category, author, schedule, mayChange, mayPublish },
        mayManageCategories: member.permissions.includes("categories.manage"),
      }}
      writerId={member.id}
      stored={storedDraft(article)}
      home={workspaceUrl(workspace.subdomain, env().baseUrl)}
      choices={{ categories, tags, snippets, authors: members, hasOtherAuthors: authors.total > members.length }}
      timeZone={workspace.timeZone}
      isDrawerOpen={(await cookies()).get(drawerCookie(DETAILS))?.value !== "closed"}
      save={submitDraft}
      actions={{
        publish: submitPublish,
        unpublish: submitUnpublish,
        discard: submitDropChanges,
        duplicate: submitDuplicate,
      }}
      schedule={
        <ScheduleForm id={article.id} here={here} look="line" mayCancel={mayPublish}>
          {schedule && (
            <span>
              {schedule.isHeld
                ? `The schedule for ${schedule.at} is on hold until someone who can publish reviews the article.`
                : `Scheduled for ${schedule.at}.${mayPublish ? "" : " Editing puts the schedule on hold."}`}
            </span>
          )}
        </ScheduleForm>
      }
      plain={
        mayChange && (
          <AddressForm here={here}>
            <input type="hidden" name="id" value={article.id} />
            <FormField label="URL slug" name="slug" defaultValue={article.slug} maxLength={300} autoComplete="off" />
            <FormCombobox label="Category" name="categoryId" defaultValue={category.id} options={categories} />
            <FormChoice label="Author" name="authorId" defaultValue={author.id} options={withAuthor(members, author)} />
          </AddressForm>
        )
      }
    />
  );
}
