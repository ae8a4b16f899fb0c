import type { Metadata } from "next";
import { AdminPage } from "@/components/admin/page";
import { ButtonLink } from "@/components/ui/button";
import { CodeFrame, CodeText } from "@/components/ui/code-frame";
import { CopyButton } from "@/components/ui/copy-button";
import { env } from "@/lib/env";
import { workspaceUrl } from "@/lib/host";
import { previewEnds, previewPath } from "@/lib/previews";
import { articleOf, pathTo } from "../_article";
import { toldTime } from "../_time";

export const metadata: Metadata = { title: "Preview" };

interface Props {
  params: Promise<{ workspace: string; id: string }>;
}

export default async function PreviewLinkPage({ params }: Props) {
  const { workspace, article, here } = await articleOf(params, "articles.write", () => Promise.resolve());
  const expires = previewEnds();
  const path = previewPath(workspace.id, article.id, expires);
  return (
    <AdminPage
      title={`Preview of “${article.text.title}”`}
      about={`Whoever has this link reads the draft as it is at the time, without signing in, until ${toldTime(workspace.timeZone, expires)}.`}
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
        <div>
          <ButtonLink href={here} look="plain">
            Go on writing
          </ButtonLink>
        </div>
      </div>
    </AdminPage>
  );
}
