import type { ReactNode } from "react";
import { Badge } from "@/components/ui/badge";
import { Pager } from "@/components/ui/pager";
import { MOST_RUNS, type Run, type RunReport } from "@/lib/import-export/runs";

const phases = {
  reading: "Reading",
  files: "Storing images and files",
  importing: "Importing",
  exporting: "Exporting",
};

export function doingOf({ state, phase }: Run): string {
  if (!phase) return "Queued";
  return state === "checking" && phase !== "reading" ? "Checking" : phases[phase];
}

const states: Record<Run["state"], { tone: "good" | "bad" | "quiet"; word: string }> = {
  checking: { tone: "quiet", word: "Checking" },
  ready: { tone: "quiet", word: "Needs review" },
  running: { tone: "quiet", word: "Running" },
  done: { tone: "good", word: "Done" },
  failed: { tone: "bad", word: "Failed" },
  cancelled: { tone: "quiet", word: "Canceled" },
};

export function RunState({ state }: { state: Run["state"] }) {
  const { tone, word } = states[state];
  return <Badge tone={tone}>{word}</Badge>;
}

export function Older({ runs }: { runs: readonly Run[] }) {
  if (runs.length <= MOST_RUNS) return null;
  return (
    <p className="mt-3 text-text-muted">
      The list shows the latest {MOST_RUNS}. The audit log lists older imports and exports.
    </p>
  );
}

/** The number of report lines per page. */
const LINES = 50;

export function Lines({
  title,
  report,
  page,
  address,
  children,
}: {
  title: string;
  report: RunReport;
  page: number;
  address: string;
  /** Beside the heading. */
  children?: ReactNode;
}) {
  const { lines } = report;
  if (lines.length === 0) return null;
  const last = Math.ceil(lines.length / LINES);
  const at = Number.isInteger(page) && page >= 1 ? Math.min(page, last) : 1;
  return (
    <section id="report" className="mt-10">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h2 className="text-base">{title}</h2>
        {children}
      </div>
      <ol className="mt-3 grid gap-1 text-text-muted">
        {lines.slice((at - 1) * LINES, at * LINES).map((line, index) => (
          <li key={index} className="min-w-0 break-words">
            {line}
          </li>
        ))}
      </ol>
      <Pager page={at} size={LINES} total={lines.length} address={(to) => `${address}&page=${to}`} />
    </section>
  );
}
