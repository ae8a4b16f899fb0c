import { Code, CodeFrame } from "@/components/ui/code-frame";
import { CopyButton } from "@/components/ui/copy-button";
import { codeHtml } from "@/lib/reference/highlight";

/** The host and the subdomain in the document's examples. */
const exampleHome = "https://docs.example.com";
const exampleSubdomain = '"subdomain": "docs"';

/** An example answer with this workspace's URL. */
export async function ExampleAnswer({
  label,
  status,
  body,
  base,
}: {
  label: string;
  status: string;
  body: unknown;
  base: string;
}) {
  const [subdomain] = new URL(base).hostname.split(".");
  const json = JSON.stringify(body, null, 2)
    .replaceAll(exampleHome, base)
    .replaceAll(exampleSubdomain, `"subdomain": "${subdomain}"`);
  return (
    <CodeFrame
      head={
        <>
          <span>
            Example response <span className="ml-1.5 font-mono text-code text-text-muted">{status}</span>
          </span>
          <CopyButton label={`Copy response: ${label}`} />
        </>
      }
    >
      <Code html={await codeHtml(json, "json", base)} short />
    </CodeFrame>
  );
}
