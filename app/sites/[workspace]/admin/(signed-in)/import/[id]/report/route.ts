import { readWorkspace } from "@/lib/db";
import { plainRefusal } from "@/lib/http/file-answer";
import { findRun } from "@/lib/import-export/runs";
import { importPermissions } from "@/lib/members/roles";
import { requireMember } from "@/lib/session";

/** `/admin/import/<id>/report`: the report of an import, one entry per line. */
export async function GET(_request: Request, context: { params: Promise<{ id: string }> }) {
  const { id } = await context.params;
  const { workspace } = await requireMember(importPermissions);
  const found = await readWorkspace(workspace.id, (read) => findRun(read, "import", id));
  if (!found?.report) return plainRefusal(404, "No such report.");
  const { lines, more } = found.report;
  const text = [...lines, ...(more > 0 ? [`… and ${more} more`] : [])].map((line) => `${line}\n`).join("");
  return new Response(text, {
    headers: {
      "Content-Type": "text/plain; charset=utf-8",
      "Content-Disposition": 'attachment; filename="import-report.txt"',
      "Cache-Control": "private, no-store",
      "X-Content-Type-Options": "nosniff",
    },
  });
}
