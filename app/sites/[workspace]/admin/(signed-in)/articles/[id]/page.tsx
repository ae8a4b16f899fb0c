import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { AdminPage } from "@/components/admin/page";
import { Desk } from "@/components/admin/writing/desk";
import { ButtonLink } from "@/components/ui/button";
import { CodeLine } from "@/components/ui/code-line";
import { number } from "@/components/ui/count";
import { FormChoice, FormField } from "@/components/ui/form";
import { formatTime } from "@/components/ui/format-time";
import { State } from "@/components/ui/state";
import { type OpenDraft, openDraft } from "@/lib/articles/open-draft";
import { storedDraft } from "@/lib/articles/shared-draft";
import { listTagNames } from "@/lib/articles/tags";
import { listCategoryTree } from "@/lib/categories/tree";
import { readWorkspace } from "@/lib/db";
import { env } from "@/lib/env";
import { workspaceUrl } from "@/lib/http/host";
import { listMembers } from "@/lib/members/members";
import { type CurrentMember, requireMember } from "@/lib/session";
import { idOf } from "../../../_form";
import { categoryChoices } from "../../categories/_choices";
import { AddressForm, ScheduleForm } from "./_forms";
import { submitDraft } from "./actions";

export const metadata: Metadata = { title: "Write" };

/** The maximum number of members and tags in the choices. */
const MOST_CHOICES = 200;

/** The page for editing an article. */
export default async function ArticlePage({ params }: { params: Promise<{ id: string }> }) {
  const { workspace, member } = await requireMember("articles.write");
  const id = idOf((await params).id);
  const { article, categories, tags, authors } = await readWorkspace(workspace.id, async (read) => ({
    article: id ? await openDraft(read, id) : null,
    categories: categoryChoices(await listCategoryTree(read)),
    tags: (await listTagNames(read, MOST_CHOICES)).map(({ name }) => name),
    authors: await listMembers(read, { active: true, limit: MOST_CHOICES, offset: 0 }),
  }));
  if (!article) notFound();
  const home = workspaceUrl(workspace.subdomain, env().baseUrl);
  const here = `/admin/articles/${article.id}`;
  const mayPublish = member.permissions.includes("articles.publish");
  const isChanged = article.state === "published" && article.hasDraft;
  return (
    <AdminPage
      title={article.text.title}
      about={<Standing article={article} timeZone={workspace.timeZone} mayPublish={mayPublish} />}
      path={[{ href: "/admin/articles", name: "Articles" }]}
    >
      <Desk
        key={article.id}
        id={article.id}
        writerId={member.id}
        stored={storedDraft(article)}
        home={home}
        tags={tags}
        timeZone={workspace.timeZone}
        save={submitDraft}
        actions={
          <>
            <ButtonLink href={`${here}/preview`} look="plain" size="small" data-after-saving>
              Preview
            </ButtonLink>
            <ButtonLink href={`${here}/versions`} look="plain" size="small" data-after-saving>
              Versions
            </ButtonLink>
            {mayPublish ? (
              <ButtonLink href={`${here}/publish`} size="small" data-after-saving>
                {article.state === "draft" || isChanged ? "Publish …" : "Publish or unpublish …"}
              </ButtonLink>
            ) : (
              <ButtonLink href={`${here}/publish`} size="small" data-after-saving>
                Who can publish …
              </ButtonLink>
            )}
          </>
        }
        atOnce={
          <AtOnce
            article={article}
            home={home}
            here={here}
            categories={categories}
            authors={authors.members.map((one) => ({ value: one.id, name: `${one.firstName} ${one.lastName}` }))}
            authorsInAll={authors.total}
            permissions={member.permissions}
          />
        }
      />
    </AdminPage>
  );
}

/** The state of the article as readers see it. */
function Standing({ article, timeZone, mayPublish }: { article: OpenDraft; timeZone: string; mayPublish: boolean }) {
  const { state, slug, hasDraft, publishAt, publishHeld, id } = article;
  const at = publishAt && formatTime(timeZone, publishAt);
  const held = mayPublish ? "" : " What you change makes it wait for somebody who may publish.";
  const waits =
    at &&
    (publishHeld
      ? `It was to be published by itself on ${at}, and waits: somebody who may publish has to look at it first.`
      : `It is published by itself on ${at}.${held}`);
  return (
    <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
      <State tone={state === "published" ? "good" : "quiet"}>{state === "published" ? "Published" : "Draft"}</State>
      <span>
        {state === "draft" ? (
          "Readers do not see it yet."
        ) : (
          <>
            {hasDraft ? "Readers do not see your last changes yet: they see " : "Readers see it as it is here, "}
            <a href={`/articles/${slug}`}>{hasDraft ? "what was published before" : "at its address"}</a>.
          </>
        )}
      </span>
      {mayPublish ? (
        <ScheduleForm id={id} here={`/admin/articles/${id}`} look="line">
          {waits && <span>{waits}</span>}
        </ScheduleForm>
      ) : (
        waits && <span>{waits}</span>
      )}
    </span>
  );
}

function AtOnce({
  article,
  home,
  here,
  categories,
  authors,
  authorsInAll,
  permissions,
}: {
  article: OpenDraft;
  home: string;
  here: string;
  categories: { value: string; name: string }[];
  authors: { value: string; name: string }[];
  authorsInAll: number;
  permissions: CurrentMember["permissions"];
}) {
  const { id, slug, permalink, category, author, state } = article;
  const isMember = authors.some(({ value }) => value === author.id);
  const mayChange = state === "draft" || permissions.includes("articles.publish");
  return (
    <section aria-labelledby="at-once" className="grid gap-5">
      <div>
        <h2 id="at-once" className="text-base">
          Address and place
        </h2>
        <p className="mt-1 text-text-muted">Acts at once, also where the text waits for publishing.</p>
      </div>
      {mayChange ? (
        <AddressForm here={here}>
          <input type="hidden" name="id" value={id} />
          <FormField
            label="Address"
            name="slug"
            defaultValue={slug}
            hint={`What stands behind ${home}/articles/.${state === "published" ? " The address it has now goes on leading here." : ""}`}
            maxLength={300}
            autoComplete="off"
            spellCheck={false}
          />
          <FormChoice label="Category" name="categoryId" defaultValue={category.id} options={categories} />
          <FormChoice
            label="Author"
            name="authorId"
            defaultValue={author.id}
            options={[...(isMember ? [] : [{ value: author.id, name: author.name }]), ...authors]}
          />
          {authorsInAll > authors.length && (
            <FormField
              label="Another author"
              name="authorName"
              defaultValue=""
              hint={`${number(authors.length)} of ${number(authorsInAll)} members stand above. Write the name or the e-mail address of another one here.`}
              maxLength={254}
              autoComplete="off"
            />
          )}
        </AddressForm>
      ) : (
        <p>
          In {category.name}, by {author.name}. Ask somebody who may publish to change this.
        </p>
      )}
      <div className="grid gap-1.5">
        <p className="font-medium">Permalink</p>
        <CodeLine>{`${home}/articles/${permalink}`}</CodeLine>
        <p className="text-text-muted">It leads here for ever, whatever the address becomes.</p>
      </div>
      <ul className="grid gap-1">
        {permissions.includes("categories.manage") && (
          <li>
            <Link href={`/admin/categories/${category.id}/articles`} prefetch={false} data-after-saving>
              Order the articles of {category.name}
            </Link>
          </li>
        )}
        {mayChange && (
          <li>
            <Link href={`${here}/delete`} prefetch={false} data-after-saving>
              Delete this article
            </Link>
          </li>
        )}
      </ul>
    </section>
  );
}
