import { Readable } from "node:stream";
import { takeLimit } from "@/lib/counters";
import { readWorkspace } from "@/lib/db";
import { plainRefusal, tooManyDownloads } from "@/lib/http/file-answer";
import { readParts } from "@/lib/import-export/parts";
import { findRun } from "@/lib/import-export/runs";
import { exportPermissions } from "@/lib/members/roles";
import { requireMember } from "@/lib/session";

/** `/admin/export/<id>`: the archive, for members with the permission. */
export async function GET(_request: Request, context: { params: Promise<{ id: string }> }) {
  const { id } = await context.params;
  const { workspace, member } = await requireMember(exportPermissions);
  const wait = await takeLimit("download", { workspace: workspace.id, member: member.id });
  if (wait !== null) return tooManyDownloads(wait);
  const made = await readWorkspace(workspace.id, (read) => findRun(read, "export", id));
  if (made?.state !== "done" || made.byteSize === 0) return plainRefusal(404, "No such archive.");
  const body = Readable.toWeb(Readable.from(readParts(made.parts, made.byteSize))) as ReadableStream<Uint8Array>;
  return new Response(body, {
    headers: {
      "Content-Type": "application/zip",
      "Content-Length": String(made.byteSize),
      // Contains only letters, digits, dots, and hyphens.
      "Content-Disposition": `attachment; filename="${made.filename}"`,
      "Cache-Control": "private, no-store",
      "X-Content-Type-Options": "nosniff",
    },
  });
}
