import type { Metadata } from "next";
import type { ReactNode } from "react";
import { Issues } from "@/components/admin/articles/issues";
import { AdminPage } from "@/components/admin/page";
import { Comparison, OtherChanges } from "@/components/admin/writing/comparison";
import { Button } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/button-link";
import { Form, FormField } from "@/components/ui/form";
import { formatTime } from "@/components/ui/format-time";
import { type OpenDraft, openDraft } from "@/lib/articles/open-draft";
import { lackOf, MOST } from "@/lib/articles/prepare-draft";
import { findScheduler } from "@/lib/articles/schedule";
import { type Member, membersWhoMay } from "@/lib/members/members";
import { comparable, compareArticles, ROUGH } from "../../_comparison";
import { pathTo, requireArticle } from "../_article";
import { ScheduleForm } from "../_forms";
import { typedTime } from "../_time";
import { submitDropChanges, submitPublish, submitUnpublish } from "../actions";

interface Props {
  params: Promise<{ workspace: string; id: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { article } = await requireArticle(params, "articles.write", () => Promise.resolve());
  return { title: article.hasDraft ? "Publish" : "Unpublish" };
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
    publishers: await membersWhoMay(read, ["articles.publish"], MOST_PUBLISHERS + 1),
  }));
  if (!member.permissions.includes("articles.publish")) {
    return <WhoMay publishers={publishers} article={article} here={here} />;
  }
  const { others, isSame, ...texts } = await compareArticles(
    workspace.id,
    live && comparable(live),
    comparable(article),
  );
  const lack = article.hasDraft ? await lackOf(workspace.id, article.text) : null;
  const hidden = (
    <>
      <input type="hidden" name="id" value={article.id} />
      <input type="hidden" name="revision" value={article.revision} />
    </>
  );
  return (
    <AdminPage
      title={`${article.hasDraft ? "Publish" : "Unpublish"} “${article.text.title}”`}
      about={live === null && `In ${article.category.name}, at /articles/${article.slug}`}
      path={pathTo(article)}
    >
      <div className="grid max-w-[48rem] gap-8">
        {article.hasDraft && (
          <>
            <section aria-labelledby="now" className="grid gap-3">
              <h2 id="now" className="text-base">
                Publish
              </h2>
              <Issues
                articleId={article.id}
                title={article.text.title}
                html={article.text.html}
                lack={lack}
                here={here}
              />
              {article.publishAt && !article.publishHeld && (
                <p className="text-text-muted">
                  Publishing now cancels the <a href="#later">schedule</a>.
                </p>
              )}
              <Form action={submitPublish} submit="Publish" busy="Publishing…" cancel={here}>
                {hidden}
                <Summary />
              </Form>
            </section>
            {live !== null && (
              <section aria-labelledby="changes" className="grid gap-3">
                <h2 id="changes" className="text-base">
                  Changes
                </h2>
                <OtherChanges changes={others} />
                {isSame ? (
                  <p className="text-text-muted">Readers won't see a difference.</p>
                ) : (
                  <>
                    {texts.isRough && <p className="text-text-muted">{ROUGH}</p>}
                    <Comparison texts={texts} label="Changes in the text" />
                  </>
                )}
              </section>
            )}
            <Later article={article} by={by} timeZone={workspace.timeZone}>
              {hidden}
            </Later>
          </>
        )}
        {live !== null && (
          <section
            aria-label="Unpublish"
            className={`grid gap-3 ${article.hasDraft ? "border-t border-border pt-6" : ""}`}
          >
            {article.hasDraft && <h2 className="text-base">Unpublish</h2>}
            <p className="text-text-muted">Readers lose access immediately. The article becomes a draft.</p>
            <div className="flex flex-wrap gap-2">
              {article.hasDraft && (
                <form action={submitDropChanges}>
                  {hidden}
                  <Button type="submit" look="plain">
                    Discard changes
                  </Button>
                </form>
              )}
              <form action={submitUnpublish}>
                {hidden}
                <Button type="submit" look="danger">
                  Unpublish
                </Button>
              </form>
              {!article.hasDraft && (
                <ButtonLink href={here} look="plain">
                  Cancel
                </ButtonLink>
              )}
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
      title={`Ask to publish “${article.text.title}”`}
      about={`Your role can't publish.${publishers.length > 0 ? " Send one of these members a preview link." : ""}`}
      path={pathTo(article)}
    >
      <div className="grid max-w-[48rem] gap-5">
        {publishers.length === 0 ? (
          <p>No member can publish. Ask an administrator.</p>
        ) : (
          <ul className="grid gap-1.5">
            {publishers.slice(0, MOST_PUBLISHERS).map(({ id, firstName, lastName, role }) => (
              <li key={id}>
                {firstName} {lastName} <span className="text-text-muted">{role}</span>
              </li>
            ))}
            {publishers.length > MOST_PUBLISHERS && <li className="text-text-muted">And others</li>}
          </ul>
        )}
        <div className="flex flex-wrap gap-3">
          <ButtonLink href={`${here}/preview`}>Get a preview link</ButtonLink>
          <ButtonLink href={here} look="plain">
            Cancel
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
        Schedule
      </h2>
      <ScheduleForm id={id} here={`/admin/articles/${id}/publish`} look="box">
        {publishAt && (
          <p>
            Scheduled for <strong>{formatTime(timeZone, publishAt)}</strong>
            {by && ` by ${by.name}`}.
            {publishHeld &&
              " The schedule is on hold because someone without publishing rights changed the article, or because the date had passed when the article was imported or restored. Review the article, then publish or reschedule."}
          </p>
        )}
      </ScheduleForm>
      {!publishAt && <p className="text-text-muted">Lectern publishes the draft as it is at that time.</p>}
      <Form action={submitPublish} submit={publishAt ? "Reschedule" : "Schedule"} busy="Scheduling…" look="plain">
        {children}
        <input type="hidden" name="when" value="later" />
        <FormField
          label={`Date and time (${timeZone.replaceAll("_", " ")})`}
          name="at"
          type="datetime-local"
          defaultValue={publishAt ? typedTime(timeZone, publishAt) : ""}
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
      label="Release note (optional)"
      name="summary"
      defaultValue={before ?? ""}
      hint="Only your team sees the note, under Versions."
      maxLength={MOST.summary}
      autoComplete="off"
    />
  );
}
