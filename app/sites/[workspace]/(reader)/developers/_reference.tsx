import type { Callable } from "@/components/reader/reference/form/call";
import { Operation } from "@/components/reader/reference/operation";
import { Sample } from "@/components/reader/reference/sample";
import { Columns, Section } from "@/components/reader/reference/section";
import { TryIt } from "@/components/reader/reference/try-it";
import { Code, CodeFrame } from "@/components/ui/code-frame";
import { CopyButton } from "@/components/ui/copy-button";
import { Inline } from "@/components/ui/inline";
import { env } from "@/lib/env";
import { workspaceUrl } from "@/lib/http/host";
import { homeOf } from "@/lib/reader/published-categories";
import type { ReferenceOperation } from "@/lib/reference/document";
import { sampleHtml } from "@/lib/reference/highlight";
import { sampleOf } from "@/lib/reference/samples";
import { readAsVisitor } from "@/lib/session";
import { publicWorkspace } from "@/lib/site";
import { ExampleAnswer } from "./_example";
import { DevelopersFrame, references, type Search, sampleLanguage } from "./_frame";

export async function ReferencePage({
  subdomain,
  version,
  search,
}: {
  subdomain: string;
  version: keyof typeof references;
  search: Search;
}) {
  const workspace = await publicWorkspace(subdomain);
  const base = workspaceUrl(workspace.subdomain, env().baseUrl);
  const reference = references[version];
  const { basePath, groups, headers } = reference;
  // With a real article, a sample that reads runs as pasted. Members' ids are not public.
  const { recent } = await readAsVisitor(workspace, homeOf);
  const values: Record<string, string> = recent[0] ? { article_id: recent[0].slug } : {};

  const language = await sampleLanguage(search);
  const aside = async (operation: ReferenceOperation) => {
    const { anchor, summary } = operation;
    const sample = await sampleHtml(
      sampleOf(reference, operation, base, operation.method === "GET" ? values : {}),
      base,
    );
    const answer = operation.answers.find(({ status }) => status.startsWith("2"));
    return (
      <>
        <Sample label={summary} anchor={anchor} code={sample} language={language} />
        <TryIt operation={callableOf(operation)} />
        {answer && <ExampleAnswer label={summary} status={answer.status} body={answer.example} base={base} />}
      </>
    );
  };
  const shown = await Promise.all(
    groups.map(async ({ operations, ...group }) => ({
      ...group,
      operations: await Promise.all(
        operations.map(async (operation) => ({ operation, aside: await aside(operation) })),
      ),
    })),
  );

  return (
    <DevelopersFrame workspace={workspace} version={version}>
      <div className="py-10 lg:py-14">
        <Columns
          aside={
            <CodeFrame
              head={
                <>
                  <span>Base URL</span>
                  <CopyButton label={`Copy ${version} base URL`} />
                </>
              }
            >
              <Code html={base + basePath} />
            </CodeFrame>
          }
        >
          <h1 className="text-2xl">API {version}</h1>
          <p className="mt-4">
            This page lists every {version} endpoint with its parameters, responses, and samples. All endpoints need a{" "}
            <a href="/developers#keys">key</a> in the <code className="whitespace-nowrap">X-Api-Key</code> header and
            share the same <a href="/developers#errors">errors</a>, <a href="/developers#paging">pagination</a>, and{" "}
            <a href="/developers#limits">rate limits</a>. The reference is also available as an{" "}
            <a href={`${basePath}/openapi.json`}>OpenAPI document</a>.
          </p>
          {version === "v1" && (
            <p className="mt-4 rounded-sm bg-highlight px-4 py-3 text-sm">
              v1 keeps working. For new programs, use <a href="/developers/v2">v2</a>, which has the same endpoints and
              more. <a href="/developers#versions">See the differences</a>.
            </p>
          )}
        </Columns>
      </div>
      {shown.map(({ anchor, name, description, operations }) => (
        <div key={anchor} id={anchor}>
          <div className="border-t border-border pt-12 pb-8 lg:pt-14">
            <h2 className="text-xl">
              <a href={`#${anchor}`} className="no-underline hover:underline">
                {name}
              </a>
            </h2>
            <p className="mt-2 text-text-muted">{description}</p>
          </div>
          {operations.map(({ operation, aside: beside }, index) => (
            <Operation key={operation.anchor} operation={operation} first={index === 0} aside={beside} />
          ))}
        </div>
      ))}
      <Section anchor="headers" title="Response headers" level={2}>
        <dl className="mt-4 text-sm">
          {headers.map(({ name, description, example, everywhere }) => (
            <div key={name} className="border-b border-border py-3 last:border-b-0">
              <dt className="flex flex-wrap items-baseline gap-x-2.5">
                <code className="text-sm font-semibold">{name}</code>
                {everywhere && <span className="text-text-muted">on every response</span>}
              </dt>
              <dd className="mt-1 text-text-muted">
                <Inline>{description}</Inline>
                {example && (
                  <>
                    {" "}
                    Example: <code className="wrap-anywhere text-text">{example}</code>
                  </>
                )}
              </dd>
            </div>
          ))}
        </dl>
      </Section>
    </DevelopersFrame>
  );
}

/** Only these fields are sent to the browser. */
function callableOf({ method, path, summary, parameters, body, needsBody }: ReferenceOperation): Callable {
  return {
    method,
    path,
    summary,
    parameters: parameters.map(({ name, in: where, type, values, required, example }) => ({
      name,
      in: where,
      type,
      values,
      required,
      example,
    })),
    body: body.map(({ name, type, values, example }) => ({ name, type, values, example })),
    needsBody,
  };
}
