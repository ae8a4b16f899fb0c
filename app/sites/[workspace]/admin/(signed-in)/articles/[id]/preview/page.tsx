import type { Metadata } from "next";
import { AdminPage } from "@/components/admin/page";
import { ButtonLink } from "@/components/ui/button-link";
import { CodeFrame, CodeText } from "@/components/ui/code-frame";
import { Confirm } from "@/components/ui/confirm";
import { CopyButton } from "@/components/ui/copy-button";
import { formatTime } from "@/components/ui/format-time";
import { env } from "@/lib/env";
import { workspaceUrl } from "@/lib/http/host";
import { previewEnds, previewPath, previewsEnded } from "@/lib/reader/previews";
import { pathTo, requireArticle } from "../_article";
import { submitEndPreviews } from "../actions";

export const metadata: Metadata = { title: "Preview" };

export default async function PreviewLinkPage({ params }: { params: Promise<{ id: string }> }) {
  const {
    workspace,
    article,
    here,
    more: ended,
  } = await requireArticle(params, "articles.write", (read, { id }) => previewsEnded(read, id));
  const expires = previewEnds();
  const path = previewPath(workspace.id, article.id, expires, ended ?? 0);
  return (
    <AdminPage
      title={`Preview of “${article.text.title}”`}
      about={`Anyone with this link can read the ${article.hasDraft ? "draft" : "article"} until ${formatTime(workspace.timeZone, expires)}.`}
      path={pathTo(article)}
      action={
        <ButtonLink href={path} target="_blank">
          Open preview
        </ButtonLink>
      }
    >
      <div className="grid max-w-[48rem] gap-5">
        <CodeFrame
          head={
            <>
              Preview link
              <CopyButton label="Copy link" />
            </>
          }
        >
          <CodeText>{workspaceUrl(workspace.subdomain, env().baseUrl) + path}</CodeText>
        </CodeFrame>
        <p className="text-text-muted">
          Each visit to this page creates a new link. Earlier links keep working until they expire.
        </p>
        <div className="flex flex-wrap items-center gap-3">
          <ButtonLink href={here} look="plain" size="small">
            Back to the article
          </ButtonLink>
          <Confirm
            id="end-previews"
            label="Revoke all links"
            look="danger"
            title="Revoke all preview links?"
            action={submitEndPreviews}
            yes="Revoke all links"
            fields={{ id: article.id }}
          >
            <p>All preview links to this article will stop working immediately.</p>
          </Confirm>
        </div>
      </div>
    </AdminPage>
  );
}
