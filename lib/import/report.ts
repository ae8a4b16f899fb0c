import type { Finding } from "@/lib/import/prepare";
import type { ImportResult } from "@/lib/import/result";

const sentences: Record<Finding["kind"], string> = {
  broken_link: "leads to no file of this import",
  broken_image: "is an image that is not there",
  broken_related: "is named as a related article, and is none",
  missing_anchor: "leads to a heading that is not there",
  outside_link: "leads to an address of this site that is no article or category",
  left_out_image: "is no image that can be shown, and was left out",
  left_out_file: "could not be stored, and was left out",
  unknown_author: "is named as the author, and is no member",
};

/** Broken links; the other findings were left out on purpose. */
export const broken: ReadonlySet<Finding["kind"]> = new Set([
  "broken_link",
  "broken_image",
  "broken_related",
  "missing_anchor",
  "outside_link",
]);

export function reportLines(result: ImportResult): string[] {
  const place = ({ path, line }: { path: string; line?: number }) => (line === undefined ? path : `${path}:${line}`);
  return [
    ...result.problems.map((problem) => `${place(problem)}: ${problem.message}`),
    ...result.findings.map((finding) => `${place(finding)}: ${finding.href} ${sentences[finding.kind]}`),
    ...result.opened.map((path) => `${path}: says so now, and more people can read it than before`),
    ...result.kept.map((problem) => `${place(problem)}: ${problem.message}`),
    ...result.flattened.map((path) => `${path}: is deeper than six folders, and went to the sixth`),
    ...result.gone.map((path) => `${path}: is no longer there; its article stays`),
  ];
}
