import type { Metadata } from "next";
import { AdminPage } from "@/components/admin/page";
import { ButtonLink } from "@/components/ui/button";
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
      about={`Whoever has this link reads the draft as it is at the time, without signing in, until ${formatTime(workspace.timeZone, expires)}.`}
      path={pathTo(article)}
      action={
        <ButtonLink href={path} target="_blank">
          Open the preview
        </ButtonLink>
      }
    >
      <div className="grid max-w-[48rem] gap-5">
        <CodeFrame
          head={
            <>
              The link
              <CopyButton label="the link" />
            </>
          }
        >
          <CodeText>{workspaceUrl(workspace.subdomain, env().baseUrl) + path}</CodeText>
        </CodeFrame>
        <p className="text-text-muted">
          Each time this page is opened there is a new link. You can end them all at once: those that were given to
          anybody lead nowhere then.
        </p>
        <div className="flex flex-wrap items-center gap-3">
          <ButtonLink href={here} look="plain" size="small">
            Go on writing
          </ButtonLink>
          <Confirm
            id="end-previews"
            label="End all links"
            title="End all links to previews of this article?"
            action={submitEndPreviews}
            yes="End all links"
            fields={{ id: article.id }}
          >
            <p>Whoever was given one cannot read the draft with it any more. You can make new ones.</p>
          </Confirm>
        </div>
      </div>
    </AdminPage>
  );
}
