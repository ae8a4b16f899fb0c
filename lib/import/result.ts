import type { Finding } from "@/lib/import/prepare";
import type { Problem } from "@/lib/import/problem";

/** What an import did, or with `dryRun` would do. */
export interface ImportResult {
  /** Files that are articles, whether they could be imported or not. */
  files: number;
  created: number;
  updated: number;
  unchanged: number;
  /** How many of these are drafts. */
  drafts: number;
  /** Categories that were made. */
  categories: number;
  /** Images and other files that articles use, and that are uploads now. */
  uploads: number;
  /** Files that were not imported, and why. */
  problems: Problem[];
  /** What a person should know about links and images of the files that were read. */
  findings: Finding[];
  /** Files deeper than the deepest category, which went to the category above. */
  flattened: string[];
  /** Files of an earlier import that are no longer there; their articles are. */
  gone: string[];
  /** Files whose article somebody is writing a draft of, which was left as it is. */
  keptDrafts: string[];
  /** Files whose article, or of whose folder all, more people can read than before. */
  opened: string[];
  /** Files that would have changed what people decided here, and what became of it. */
  kept: Problem[];
  /** How many files it got to. */
  reached: number;
  /** Whether it was stopped before the end; run again, it goes on from there. */
  interrupted: boolean;
}
