import { Fold } from "@/components/ui/fold";
import { Json } from "@/components/ui/json";
import { sizeOf } from "@/components/ui/size";
import type { Outcome } from "./call";
import { Status } from "./status";

export function Result({ outcome }: { outcome: Outcome }) {
  if (outcome.kind === "failure") {
    return <p className="border-t border-border p-4 text-sm text-danger">{outcome.message}</p>;
  }
  const { status, reason, ms, headers, text, json } = outcome;
  const refusal = status >= 400 && sentenceOf(json);
  return (
    <div className="border-t border-border">
      <p className="flex flex-wrap items-baseline gap-x-4 px-4 pt-3 text-sm">
        <Status status={String(status)} reason={reason} />
        <span className="text-text-muted tabular-nums">{ms} ms</span>
        <span className="text-text-muted tabular-nums">{sizeOf(new Blob([text]).size)}</span>
      </p>
      {refusal && <p className="px-4 pt-2 text-sm text-danger">{refusal}</p>}
      <div className="px-4 pt-1 text-sm">
        <Fold summary={<span>{headers.length} headers</span>}>
          <dl className="mb-2 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 font-mono text-code">
            {headers.map(([name, value]) => (
              <div key={name} className="contents">
                <dt className="text-text-muted">{name}</dt>
                <dd className="wrap-anywhere">{value}</dd>
              </div>
            ))}
          </dl>
        </Fold>
      </div>
      {text === "" ? (
        <p className="px-4 pb-4 text-sm text-text-muted">No body.</p>
      ) : json === undefined ? (
        <pre tabIndex={0} className="max-h-96 overflow-auto border-t border-border px-4 py-3.5 text-code">
          {text}
        </pre>
      ) : (
        <div className="border-t border-border">
          <Json value={json} />
        </div>
      )}
    </div>
  );
}

function sentenceOf(json: unknown): string | undefined {
  const error = (json as { error?: unknown } | null | undefined)?.error;
  return typeof error === "string" ? error : undefined;
}
