import { readWorkspace } from "@/lib/db";
import { plainRefusal } from "@/lib/file-answer";
import { requireMember } from "@/lib/session";
import { publicWorkspace } from "@/lib/site";
import { findTransfer } from "@/lib/transfers";

/** `/admin/import/<id>/report`: what an import has to say, a line each. */
export async function GET(_request: Request, context: { params: Promise<{ workspace: string; id: string }> }) {
  const { workspace: subdomain, id } = await context.params;
  const workspace = await publicWorkspace(subdomain);
  await requireMember(subdomain, "settings.manage");
  const found = await readWorkspace(workspace.id, (read) => findTransfer(read, "import", id));
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
