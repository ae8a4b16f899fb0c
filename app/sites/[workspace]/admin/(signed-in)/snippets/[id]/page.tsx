import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { AdminPage } from "@/components/admin/page";
import { CodeFrame, CodeText } from "@/components/ui/code-frame";
import { Confirm } from "@/components/ui/confirm";
import { CopyButton } from "@/components/ui/copy-button";
import { countOf } from "@/components/ui/count";
import { Form } from "@/components/ui/form";
import { Section } from "@/components/ui/section";
import { htmlForReader } from "@/lib/content/for-reader";
import { tokenOf } from "@/lib/content/snippet-names";
import { readWorkspace } from "@/lib/db";
import { wordsFor } from "@/lib/reader/words";
import { requireMember } from "@/lib/session";
import { findSnippet } from "@/lib/snippets/snippets";
import { inThread } from "@/lib/threads/pool";
import { idOf } from "../../../_form";
import { ContentField, DeletionNote } from "../_parts";
import { submitDeleteSnippet, submitSnippet } from "../actions";

export const metadata: Metadata = { title: "Snippet" };

interface Props {
  params: Promise<{ workspace: string; id: string }>;
}

export default async function SnippetPage({ params }: Props) {
  const { workspace } = await requireMember("articles.publish");
  const id = idOf((await params).id) ?? notFound();
  const snippet = (await readWorkspace(workspace.id, (read) => findSnippet(read, id))) ?? notFound();
  const { name, html, articles, waiting } = snippet;
  const markdown = await inThread(workspace.id, "markdown", html);
  const { renderedHtml } = await inThread(workspace.id, "derive", html, null);
  return (
    <AdminPage
      title={name}
      about={
        (articles === 0
          ? "No published article uses this snippet."
          : `${countOf(articles, "published article")} ${articles === 1 ? "uses" : "use"} this snippet.`) +
        (waiting > 0 ? ` ${countOf(waiting, "article")} ${waiting === 1 ? "is" : "are"} being updated.` : "")
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
          <DeletionNote name={name} articles={articles} />
        </Confirm>
      }
    >
      <div className="mb-6 max-w-[28rem]">
        <CodeFrame
          head={
            <>
              In an article
              <CopyButton label="Copy" />
            </>
          }
        >
          <CodeText>{tokenOf(name)}</CodeText>
        </CodeFrame>
      </div>
      <Form action={submitSnippet} submit="Save" busy="Saving…" cancel="/admin/snippets" warns>
        <input type="hidden" name="id" value={id} />
        <ContentField markdown={markdown.trimEnd()} />
      </Form>
      <Section title="As readers see it">
        <div
          className="prose article-body max-w-[40rem]"
          dir="auto"
          dangerouslySetInnerHTML={{ __html: htmlForReader(renderedHtml, wordsFor(workspace.language)) }}
        />
      </Section>
    </AdminPage>
  );
}
