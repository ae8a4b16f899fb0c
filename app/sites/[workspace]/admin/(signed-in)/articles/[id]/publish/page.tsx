import type { Metadata } from "next";
import type { ReactNode } from "react";
import { ToMend } from "@/components/admin/articles/to-mend";
import { AdminPage } from "@/components/admin/page";
import { Comparison, OtherChanges } from "@/components/admin/writing/comparison";
import { Button, ButtonLink } from "@/components/ui/button";
import { Form, FormField } from "@/components/ui/form";
import { formatTime } from "@/components/ui/format-time";
import { type OpenDraft, openDraft } from "@/lib/articles/open-draft";
import { lackOf, MOST } from "@/lib/articles/prepare-draft";
import { findScheduler } from "@/lib/articles/schedule";
import { type Member, membersWhoMay } from "@/lib/members/members";
import { type Comparable, compareArticles, ROUGH } from "../../_comparison";
import { pathTo, requireArticle } from "../_article";
import { ScheduleForm } from "../_forms";
import { typedTime } from "../_time";
import { submitDropChanges, submitPublish, submitUnpublish } from "../actions";

export const metadata: Metadata = { title: "Publish" };

interface Props {
  params: Promise<{ workspace: string; id: string }>;
}

const MOST_PUBLISHERS = 10;

/** The unpublished changes, and the ways to publish them. */
export default async function PublishPage({ params }: Props) {
  const {
    workspace,
    member,
    article,
    more: { live, by, publishers },
    here,
  } = await requireArticle(params, "articles.write", async (read, { id, state }) => ({
    live: state === "published" ? await openDraft(read, id, "live") : null,
    by: await findScheduler(read, id),
    publishers: await membersWhoMay(read, ["articles.publish"], MOST_PUBLISHERS),
  }));
  if (!member.permissions.includes("articles.publish")) {
    return <WhoMay publishers={publishers} article={article} here={here} />;
  }
  const { others, isSame, ...texts } = compareArticles(live && comparable(live), comparable(article));
  const hidden = (
    <>
      <input type="hidden" name="id" value={article.id} />
      <input type="hidden" name="revision" value={article.revision} />
    </>
  );
  return (
    <AdminPage
      title={`Publish “${article.text.title}”`}
      about={
        live === null
          ? `Readers will find it in ${article.category.name}, at /articles/${article.slug}.`
          : article.hasDraft
            ? "What readers will see instead of what they see now."
            : "Readers see all of this article already."
      }
      path={pathTo(article)}
    >
      <div className="grid max-w-[48rem] gap-8">
        {article.hasDraft && (
          <>
            <section aria-labelledby="now" className="grid gap-3">
              <h2 id="now" className="text-base">
                Publish
              </h2>
              <ToMend
                articleId={article.id}
                title={article.text.title}
                html={article.text.html}
                lack={lackOf(article.text)}
                here={here}
              />
              {article.publishAt && !article.publishHeld && (
                <p className="text-text-muted">
                  It is scheduled already: <a href="#later">see when</a>. Published now, it is not published again then.
                </p>
              )}
              <Form
                action={submitPublish}
                submit="Publish now"
                busy="Publishing …"
                beside={
                  <ButtonLink href={here} look="plain">
                    Go on writing
                  </ButtonLink>
                }
              >
                {hidden}
                <Summary />
              </Form>
            </section>
            <section aria-labelledby="changes" className="grid gap-3">
              <h2 id="changes" className="text-base">
                {live === null ? "What it says" : "What changes"}
              </h2>
              <OtherChanges
                changes={live === null ? others.filter(({ name }) => name !== "Table of contents") : others}
              />
              {isSame ? (
                <p className="text-text-muted">Nothing that readers would see.</p>
              ) : (
                <>
                  {texts.isRough && <p className="text-text-muted">{ROUGH}</p>}
                  <Comparison texts={texts} label="What changes in the text" />
                </>
              )}
            </section>
            <Later article={article} by={by} timeZone={workspace.timeZone}>
              {hidden}
            </Later>
          </>
        )}
        {live !== null && (
          <section aria-labelledby="back" className="grid gap-3 border-t border-border pt-6">
            <h2 id="back" className="text-base">
              Take it back
            </h2>
            <p className="text-text-muted">
              Unpublished, it is gone for readers, searches and programs at once; its text stays a draft here.
            </p>
            <div className="flex flex-wrap gap-2">
              {article.hasDraft && (
                <form action={submitDropChanges}>
                  {hidden}
                  <Button type="submit" look="plain">
                    Drop the changes
                  </Button>
                </form>
              )}
              <form action={submitUnpublish}>
                {hidden}
                <Button type="submit" look="danger">
                  Unpublish
                </Button>
              </form>
            </div>
          </section>
        )}
      </div>
    </AdminPage>
  );
}

/** For writers who may not publish: names someone who may, and a link to send them. */
function WhoMay({ publishers, article, here }: { publishers: Member[]; article: OpenDraft; here: string }) {
  return (
    <AdminPage
      title={`Publish “${article.text.title}”`}
      about="Your role may write, and not publish. Ask one of these members to, and send them a link to the preview."
      path={pathTo(article)}
    >
      <div className="grid max-w-[48rem] gap-5">
        {publishers.length === 0 ? (
          <p>Nobody here may publish at the moment: ask an administrator.</p>
        ) : (
          <ul className="grid gap-1.5">
            {publishers.map(({ id, firstName, lastName, role }) => (
              <li key={id}>
                {firstName} {lastName} <span className="text-text-muted">{role}</span>
              </li>
            ))}
            {publishers.length === MOST_PUBLISHERS && <li className="text-text-muted">And perhaps others.</li>}
          </ul>
        )}
        <div className="flex flex-wrap gap-3">
          <ButtonLink href={`${here}/preview`}>Link to the preview</ButtonLink>
          <ButtonLink href={here} look="plain">
            Go on writing
          </ButtonLink>
        </div>
      </div>
    </AdminPage>
  );
}

/** The scheduled time: sets, changes or removes it. */
function Later({
  article: { id, publishAt, publishHeld },
  by,
  timeZone,
  children,
}: {
  article: OpenDraft;
  by: { name: string; summary: string | null } | null;
  timeZone: string;
  children: ReactNode;
}) {
  return (
    <section aria-labelledby="later" className="grid gap-3 border-t border-border pt-6">
      <h2 id="later" className="text-base">
        Publish later
      </h2>
      <ScheduleForm id={id} here={`/admin/articles/${id}/publish`} look="box">
        {publishAt && (
          <p>
            {publishHeld ? "It was to be published by itself on " : "It is published by itself on "}
            <strong>{formatTime(timeZone, publishAt)}</strong>
            {by && `, as ${by.name} chose`}.
            {publishHeld &&
              " It waits: somebody who may not publish has changed it since, or its time was over when it came here. Look at it above, then publish it or schedule it again."}
          </p>
        )}
      </ScheduleForm>
      {!publishAt && (
        <p className="text-text-muted">
          It is published as it is written then, also when nobody is here. What somebody changes who may not publish
          makes it wait until you have looked.
        </p>
      )}
      <Form action={submitPublish} submit={publishAt ? "Schedule again" : "Schedule"} busy="Scheduling …" look="plain">
        {children}
        <input type="hidden" name="when" value="later" />
        <FormField
          label={publishAt ? "Another day and time" : "Day and time"}
          name="at"
          type="datetime-local"
          defaultValue={publishAt ? typedTime(timeZone, publishAt) : ""}
          hint={`By the clocks of ${timeZone.replaceAll("_", " ")}.`}
          required
        />
        <Summary before={by?.summary} />
      </Form>
    </section>
  );
}

function Summary({ before }: { before?: string | null | undefined }) {
  return (
    <FormField
      label="What changes, in a line"
      name="summary"
      defaultValue={before ?? ""}
      hint="You may leave it empty. It is kept with the version, for those who write."
      maxLength={MOST.summary}
      autoComplete="off"
    />
  );
}

function comparable({ text, related, attachments }: OpenDraft): Comparable {
  return {
    ...text,
    related: related.map(({ title }) => title),
    attachments: attachments.map(({ filename }) => filename),
  };
}
