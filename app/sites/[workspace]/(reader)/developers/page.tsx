import type { Metadata } from "next";
import { Sample } from "@/components/reader/reference/sample";
import { Columns, Section } from "@/components/reader/reference/section";
import { Code, CodeFrame } from "@/components/ui/code-frame";
import { CopyButton } from "@/components/ui/copy-button";
import { env } from "@/lib/env";
import { workspaceUrl } from "@/lib/http/host";
import { sampleHtml } from "@/lib/reference/highlight";
import { publicWorkspace } from "@/lib/site";
import { ExampleAnswer } from "./_example";
import { DevelopersFrame, references, type Search, sampleLanguage } from "./_frame";
import { exampleFor, guides } from "./_guides/guides";

export const metadata: Metadata = {
  title: "Developers",
  description: "Guides to the API of this knowledge base.",
};

export default async function DevelopersPage({
  params,
  searchParams,
}: {
  params: Promise<{ workspace: string }>;
  searchParams: Search;
}) {
  const workspace = await publicWorkspace((await params).workspace);
  const base = workspaceUrl(workspace.subdomain, env().baseUrl);
  const { v2 } = references;
  const api = base + v2.basePath;
  const {
    RATE_LIMIT_KEY: key,
    RATE_LIMIT_SEARCH: search,
    RATE_LIMIT_WRITE: write,
    RATE_LIMIT_FAILED: failed,
  } = env().rateLimits;
  const facts = {
    subdomain: workspace.subdomain,
    base,
    limits: { key, search, write, failed },
    operations: v2.groups.flatMap(({ operations }) => operations).length,
  };
  const language = await sampleLanguage(searchParams);
  const shown = await Promise.all(
    guides.map(async (guide) => ({
      ...guide,
      code: guide.sample && (await sampleHtml(guide.sample(api), base)),
      example: exampleFor(guide, v2),
    })),
  );
  return (
    <DevelopersFrame workspace={workspace} version="v2">
      <div className="py-10 lg:py-14">
        <Columns
          aside={
            <CodeFrame
              head={
                <>
                  <span>Base URL</span>
                  <CopyButton label="Copy base URL" />
                </>
              }
            >
              <Code html={api} />
            </CodeFrame>
          }
        >
          <h1 className="text-2xl break-words">Developers</h1>
          <p className="mt-4">
            Use the REST API to work with {workspace.name} from your own programs. You can read and write articles and
            categories, search articles, and manage team members. Requests and responses are JSON, and every request
            needs an API key.
          </p>
          <p className="mt-4">
            New here? Start with the <a href="#first-call">Quickstart</a>. See the{" "}
            <a href="/developers/v2">reference</a> for all {facts.operations} endpoints, which you can try in the
            browser. For code generators and other tools, use the{" "}
            <a href={`${v2.basePath}/openapi.json`}>OpenAPI document</a>.
          </p>
        </Columns>
      </div>
      {shown.map(({ anchor, title, Text, code, answer, example }) => (
        <Section
          key={anchor}
          anchor={anchor}
          title={title}
          level={2}
          aside={
            <>
              {code && <Sample label={title} anchor={anchor} code={code} language={language} />}
              {answer && <ExampleAnswer label={title} status={answer.status} body={example} base={base} />}
            </>
          }
        >
          <div className="prose mt-4">
            <Text {...facts} />
          </div>
        </Section>
      ))}
    </DevelopersFrame>
  );
}
