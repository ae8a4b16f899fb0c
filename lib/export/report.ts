import type { ExportResult } from "@/lib/export/run";

/** What a person should hear of an export, a line for each thing that is not in the archive. */
export function exportLines({ missing, moved }: Pick<ExportResult, "missing" | "moved">): string[] {
  return [
    ...missing.map((path) => `${path}: its bytes are gone, so the archive names it and does not have it`),
    ...moved.map((path) => `${path}: was put into another category meanwhile, and is left out: export once more`),
  ];
}
