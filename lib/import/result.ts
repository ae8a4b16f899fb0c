import type { Finding } from "@/lib/import/prepare";
import type { Problem } from "@/lib/import/problem";

/** The outcome of an import; with `dryRun`, what it would be. */
export interface ImportResult {
  /** Files that are articles, whether they could be imported or not. */
  files: number;
  created: number;
  updated: number;
  unchanged: number;
  drafts: number;
  categories: number;
  uploads: number;
  /** Files that were not imported, and why. */
  problems: Problem[];
  /** Findings about links and images of the files that were read. */
  findings: Finding[];
  flattened: string[];
  /** Files of an earlier import that are no longer there; their articles are. */
  gone: string[];
  /** Files that let more people read their article or category than before. */
  opened: string[];
  /** Files that would have changed what was edited here, and why that was left. */
  kept: Problem[];
  /** Stopped before the end; the next run continues. */
  interrupted: boolean;
}
