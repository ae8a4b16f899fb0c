import type { ExportResult } from "@/lib/export/run";

/** A line for each thing that is not in the zip. */
export function exportLines({
  missing,
  moved,
  skipped,
}: Pick<ExportResult, "missing" | "moved" | "skipped">): string[] {
  return [
    ...missing.map((path) => `${path}: its bytes are gone, so the archive names it and does not have it`),
    ...moved.map((path) => `${path}: was put into another category meanwhile, and is left out: export once more`),
    ...skipped.map(({ path, message }) => `${path}: ${message}`),
  ];
}
