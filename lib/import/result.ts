import type { Finding } from "@/lib/import/prepare";
import type { Problem } from "@/lib/import/problem";

/** With `dryRun`, the outcome that an import would have. */
export interface ImportResult {
  /** Whether the files are an export of Lectern. */
  isExport: boolean;
  files: number;
  created: number;
  updated: number;
  unchanged: number;
  drafts: number;
  categories: number;
  uploads: number;
  problems: Problem[];
  findings: Finding[];
  flattened: string[];
  /** Files of an earlier import that no longer exist, although their articles do. */
  gone: string[];
  /** Files that let more people read their article or category than before. */
  opened: string[];
  /** Files whose changes were ignored because of edits here, and the reasons. */
  kept: Problem[];
  /** Stopped before the end. The next run continues. */
  interrupted: boolean;
}
