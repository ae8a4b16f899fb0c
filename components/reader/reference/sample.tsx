import { Code, CodeFrame } from "@/components/ui/code-frame";
import { CopyButton } from "@/components/ui/copy-button";
import type { Language } from "@/lib/reference/samples";

const names: [Language, string][] = [
  ["curl", "curl"],
  ["javascript", "JavaScript"],
  ["python", "Python"],
];

/**
 * A call in three languages. Its tabs change all samples of the page (scripts/reference.ts). Without scripts, they are links to
 * the page in that language.
 */
export function Sample({
  label,
  anchor,
  code,
  language,
}: {
  label: string;
  anchor: string;
  code: Record<Language, string>;
  language: Language;
}) {
  const id = (part: string) => `_sample-${anchor}-${part}`;
  return (
    <CodeFrame
      head={
        <>
          <div role="tablist" aria-label={`Language: ${label}`} className="-ml-2 flex">
            {names.map(([one, name]) => (
              <a
                key={one}
                id={id(one)}
                role="tab"
                href={`?language=${one}#${anchor}`}
                data-language={one}
                aria-selected={one === language}
                aria-controls={id(`${one}-code`)}
                className="-mb-px flex h-11 items-center border-b-2 border-transparent px-2 text-text-muted no-underline hover:text-text aria-selected:border-accent aria-selected:font-medium aria-selected:text-text"
              >
                {name}
              </a>
            ))}
          </div>
          <CopyButton label={`Copy sample: ${label}`} />
        </>
      }
    >
      {names.map(([one]) => (
        <div key={one} role="tabpanel" id={id(`${one}-code`)} aria-labelledby={id(one)} hidden={one !== language}>
          {one === language ? (
            <Code html={code[one]} />
          ) : (
            <template>
              <Code html={code[one]} />
            </template>
          )}
        </div>
      ))}
    </CodeFrame>
  );
}
