import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { AdminPage } from "@/components/admin/page";
import { Badge } from "@/components/ui/badge";
import { CodeFrame, CodeText } from "@/components/ui/code-frame";
import { Confirm } from "@/components/ui/confirm";
import { CopyButton } from "@/components/ui/copy-button";
import { number } from "@/components/ui/count";
import { Form, FormSeen } from "@/components/ui/form";
import { Section } from "@/components/ui/section";
import { htmlForReader } from "@/lib/content/for-reader";
import { tokenOf } from "@/lib/content/snippet-names";
import { readWorkspace } from "@/lib/db";
import { wordsFor } from "@/lib/reader/words";
import { requireMember } from "@/lib/session";
import { findSnippet, revisionOf } from "@/lib/snippets/snippets";
import { inThread } from "@/lib/threads/pool";
import { idOf } from "../../../_form";
import { ContentField, DeletionNote, Updating, usesOf } from "../_parts";
import { submitDeleteSnippet, submitSnippet } from "../actions";

export const metadata: Metadata = { title: "Snippet" };

interface Props {
  params: Promise<{ workspace: string; id: string }>;
}

export default async function SnippetPage({ params }: Props) {
  const { workspace } = await requireMember("articles.publish");
  const id = idOf((await params).id) ?? notFound();
  const snippet = (await readWorkspace(workspace.id, (read) => findSnippet(read, id))) ?? notFound();
  const { name, html, articles, drafts, waiting, usedBy } = snippet;
  const more = articles + drafts - usedBy.length;
  const markdown = await inThread(workspace.id, "markdown", html);
  const { renderedHtml } = await inThread(workspace.id, "derive", html, null);
  return (
    <AdminPage
      title={name}
      about={
        <>
          <p>{usesOf(snippet)}</p>
          {waiting > 0 && <Updating articles={waiting} />}
        </>
      }
      action={
        <Confirm
          id="delete-snippet"
          label="Delete"
          look="danger"
          title={`Delete “${name}”?`}
          action={submitDeleteSnippet}
          yes="Delete"
          fields={{ id }}
        >
          <DeletionNote name={name} articles={articles} drafts={drafts} />
        </Confirm>
      }
    >
      <div className="mb-6 max-w-[28rem]">
        <CodeFrame
          head={
            <>
              Insert in an article
              <CopyButton label="Copy" />
            </>
          }
        >
          <CodeText>{tokenOf(name)}</CodeText>
        </CodeFrame>
      </div>
      <Form action={submitSnippet} submit="Save" busy="Saving…" cancel="/admin/snippets" warns>
        <input type="hidden" name="id" value={id} />
        <FormSeen name="revision" value={revisionOf(snippet)} />
        <ContentField markdown={markdown.trimEnd()} />
      </Form>
      <Section title="As readers see it">
        <div
          className="prose article-body max-w-[40rem]"
          dir="auto"
          dangerouslySetInnerHTML={{ __html: htmlForReader(renderedHtml, wordsFor(workspace.language)) }}
        />
      </Section>
      {usedBy.length > 0 && (
        <Section title="Articles" id="articles">
          <ul className="grid gap-2">
            {usedBy.map(({ id: articleId, title, isDraft }) => (
              <li key={articleId} className="flex items-center gap-2.5">
                <Link href={`/admin/articles/${articleId}`} prefetch={false} className="min-w-0 wrap-anywhere">
                  {title}
                </Link>
                {isDraft && <Badge tone="quiet">Draft</Badge>}
              </li>
            ))}
            {more > 0 && <li className="text-text-muted">and {number(more)} more</li>}
          </ul>
        </Section>
      )}
    </AdminPage>
  );
}
