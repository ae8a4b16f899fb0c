import { Readable } from "node:stream";
import { readWorkspace } from "@/lib/db";
import { plainRefusal } from "@/lib/file-answer";
import { countOfMember, tooManyFetched } from "@/lib/member-limits";
import { requireMember } from "@/lib/session";
import { publicWorkspace } from "@/lib/site";
import { findTransfer } from "@/lib/transfers";
import { readParts } from "@/lib/transfers/parts";

/** `/admin/export/<id>`: the archive, for members who may have it. */
export async function GET(_request: Request, context: { params: Promise<{ workspace: string; id: string }> }) {
  const { workspace: subdomain, id } = await context.params;
  const workspace = await publicWorkspace(subdomain);
  const member = await requireMember(subdomain, "settings.manage");
  const wait = await countOfMember("fetched", workspace.id, member.id);
  if (wait !== null) return tooManyFetched(wait);
  const made = await readWorkspace(workspace.id, (read) => findTransfer(read, "export", id));
  if (made?.state !== "done" || made.byteSize === 0) return plainRefusal(404, "No such archive.");
  const body = Readable.toWeb(Readable.from(readParts(made.parts, made.byteSize))) as ReadableStream<Uint8Array>;
  return new Response(body, {
    headers: {
      "Content-Type": "application/zip",
      "Content-Length": String(made.byteSize),
      // Of letters, digits, dots and hyphens.
      "Content-Disposition": `attachment; filename="${made.filename}"`,
      "Cache-Control": "private, no-store",
      "X-Content-Type-Options": "nosniff",
    },
  });
}
