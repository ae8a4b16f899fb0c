import type { ExportResult } from "@/lib/export/run";

/** A line for each thing that is not in the zip. */
export function exportLines({
  missing,
  moved,
  skipped,
}: Pick<ExportResult, "missing" | "moved" | "skipped">): string[] {
  return [
    ...missing.map((path) => `${path}: the file is missing from storage, so the archive lists it without its contents`),
    ...moved.map(
      (path) => `${path}: left out because it was moved to another category during the export. Export again`,
    ),
    ...skipped.map(({ path, message }) => `${path}: ${message}`),
  ];
}
