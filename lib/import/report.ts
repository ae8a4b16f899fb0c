import type { Finding } from "@/lib/import/prepare";
import type { ImportResult } from "@/lib/import/result";

const names: Record<Finding["kind"], string> = {
  broken_link: "Broken link",
  broken_image: "Missing image",
  broken_related: "Unknown related article",
  missing_anchor: "Broken anchor",
  outside_link: "Broken link on this site",
  left_out_image: "Unsupported image left out",
  left_out_file: "Couldn't store file",
  unknown_author: "Author is not a member",
};

/** Broken links. The other findings were left out on purpose. */
export const broken: ReadonlySet<Finding["kind"]> = new Set([
  "broken_link",
  "broken_image",
  "broken_related",
  "missing_anchor",
  "outside_link",
]);

/** What to look at in the files of this import, the most serious first. */
export function reportLines(result: ImportResult): string[] {
  const place = ({ path, line }: { path: string; line?: number }) => (line === undefined ? path : `${path}:${line}`);
  return [
    ...result.problems.map((problem) => `${place(problem)}: ${problem.message}`),
    ...result.findings.map((finding) => `${place(finding)}: ${names[finding.kind]}: ${finding.href}`),
    ...result.opened.map((path) => `${path}: More people can read it than before`),
    ...result.kept.map((problem) => `${place(problem)}: ${problem.message}`),
    ...result.flattened.map((path) => `${path}: Deeper than 6 folders, moved to the sixth`),
  ];
}

/** The files of earlier imports that this one does not have. */
export function goneLines({ gone }: ImportResult): string[] {
  return gone.map((path) => `${path}: Not in this import. Its article stays`);
}
