import type { ReactNode } from "react";
import { Fold } from "@/components/ui/fold";
import { Inline } from "@/components/ui/inline";
import type { Answer, ReferenceOperation } from "@/lib/reference/document";
import { Fields } from "./fields";
import { Method, Status } from "./form/status";
import { Section } from "./section";

export function Operation({
  operation,
  first,
  aside,
}: {
  operation: ReferenceOperation;
  first: boolean;
  aside: ReactNode;
}) {
  const { anchor, method, path, summary, description, scopes, parameters, body, answers } = operation;
  const sentIn = (place: string) => parameters.filter((parameter) => parameter.in === place);
  const headers = sentIn("header");
  const errors = answers.filter(({ status }) => status >= "400");
  return (
    <Section anchor={anchor} title={summary} level={3} first={first} aside={aside}>
      <p className="mt-3 flex items-baseline gap-2.5 text-sm">
        <Method method={method} />
        <code className="min-w-0 text-code wrap-anywhere">{path}</code>
      </p>
      {description.split("\n\n").map((paragraph) => (
        <p key={paragraph} className="mt-4">
          <Inline>{paragraph}</Inline>
        </p>
      ))}
      {scopes.map((scope) => (
        <p key={scope} className="mt-4 text-sm text-text-muted">
          Requires a key with the <code className="text-text">{scope}</code> scope.
        </p>
      ))}
      <Part title="Path" shown={sentIn("path").length > 0}>
        <Fields fields={sentIn("path")} sent />
      </Part>
      <Part title="Query" shown={sentIn("query").length > 0}>
        <Fields fields={sentIn("query")} sent />
      </Part>
      <Part title="Body" shown={body.length > 0}>
        <Fields fields={body} sent />
      </Part>
      <Part title="Headers" shown={headers.length > 0}>
        <div className="border-t border-border text-sm">
          <Fold summary={<span>{headers.map(({ name }) => name).join(", ")}</span>}>
            <Fields fields={headers} sent />
          </Fold>
        </div>
      </Part>
      <Part title="Responses" shown>
        <Answers answers={answers.filter(({ status }) => status < "400")} />
        <div className="border-t border-border text-sm">
          <Fold
            summary={
              <span>
                Errors{" "}
                <span className="ml-1.5 font-mono text-code text-text-muted">
                  {errors.map(({ status }) => status).join(" ")}
                </span>
              </span>
            }
          >
            <dl className="mb-2 ml-[0.1875rem] grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-2.5 border-l border-border pl-4">
              {errors.map(({ status, description, headers: more }) => (
                <div key={status} className="contents">
                  <dt>
                    <Status status={status} />
                  </dt>
                  <dd className="text-text-muted">
                    <Inline>{description}</Inline> <Headers names={more} />
                  </dd>
                </div>
              ))}
            </dl>
          </Fold>
        </div>
      </Part>
    </Section>
  );
}

function Part({ title, shown, children }: { title: string; shown: boolean; children: ReactNode }) {
  if (!shown) return null;
  return (
    <>
      <h4 className="mt-8 mb-2 text-sm font-semibold">{title}</h4>
      {children}
    </>
  );
}

function Answers({ answers }: { answers: Answer[] }) {
  return (
    <ul className="border-t border-border text-sm">
      {answers.map(({ status, description, headers, fields }) => (
        <li key={status} className="border-b border-border last:border-b-0">
          <Fold
            summary={
              <>
                <Status status={status} />
                <span className="min-w-0">
                  <Inline>{description}</Inline>
                </span>
              </>
            }
          >
            <div className="grid gap-3 pb-4 pl-[1.125rem] text-text-muted">
              {fields.length > 0 && <Fields fields={fields} sent={false} />}
              <p>
                <Headers names={headers} />
              </p>
            </div>
          </Fold>
        </li>
      ))}
    </ul>
  );
}

function Headers({ names }: { names: string[] }) {
  if (names.length === 0) return null;
  return (
    <>
      With <Inline>{names.map((name) => `\`${name}\``).join(", ")}</Inline>.
    </>
  );
}
