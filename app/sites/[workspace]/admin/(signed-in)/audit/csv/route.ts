import {
  type AuditEntry,
  type AuditFilter,
  type AuditPlace,
  listAuditEntries,
  listAuditItems,
} from "@/lib/audit/audit-log";
import { takeLimit } from "@/lib/counters";
import { csvAnswer } from "@/lib/csv";
import { readWorkspace } from "@/lib/db";
import { tooManyDownloads } from "@/lib/http/file-answer";
import { outsideRequests } from "@/lib/http/request";
import { requireMember } from "@/lib/session";
import { auditFilterOf } from "../_query";
import { hasItems, sentenceOf } from "../_words";

/** The most entries, or articles of an entry, in memory at a time. */
const AT_ONCE = 1_000;

const columns = [
  "Time (UTC)",
  "Event",
  "Actor",
  "Actor type",
  "Action",
  "Object type",
  "Object",
  "Object ID",
  "Details",
  "IP address",
  "Request ID",
  "Entry ID",
];

/**
 * Streams the whole audit log, with the page's filter, as CSV. An entry that stands for several articles is followed by a
 * row for each article, with the same entry id.
 */
export async function GET(request: Request): Promise<Response> {
  const {
    workspace,
    member: { id, timeZone },
  } = await requireMember("settings.manage");
  const wait = await takeLimit("download", { workspace: workspace.id, member: id });
  if (wait !== null) return tooManyDownloads(wait);
  const filter = auditFilterOf(Object.fromEntries(new URL(request.url).searchParams), timeZone);
  const today = new Date().toISOString().slice(0, 10);
  return csvAnswer(columns, rowsOf(workspace.id, filter), `audit-log-${workspace.subdomain}-${today}`);
}

async function* rowsOf(workspaceId: string, filter: AuditFilter): AsyncGenerator<string[][]> {
  for (let before: AuditPlace | undefined; ; ) {
    // Reading a long log takes longer than the total database time of a page.
    const { entries, hasOlder } = await outsideRequests(() =>
      readWorkspace(workspaceId, (read) => listAuditEntries(read, filter, { before, limit: AT_ONCE })),
    );
    let piece: string[][] = [];
    for (const entry of entries) {
      piece.push(cellsOf(entry));
      if (!hasItems(entry)) continue;
      yield piece;
      piece = [];
      yield* itemsOf(workspaceId, entry);
    }
    yield piece;
    before = entries.at(-1);
    if (!hasOlder) return;
  }
}

async function* itemsOf(workspaceId: string, entry: AuditEntry): AsyncGenerator<string[][]> {
  for (let offset = 0; ; offset += AT_ONCE) {
    const { items, total } = await outsideRequests(() =>
      readWorkspace(workspaceId, (read) => listAuditItems(read, entry.id, { limit: AT_ONCE, offset })),
    );
    yield items.map(({ id, name, details }) => cellsOf(entry, { kind: "article", id, name }, details));
    if (offset + AT_ONCE >= total) return;
  }
}

/** @param subject the entry's subject, or one of its articles with its own details */
function cellsOf(
  entry: AuditEntry,
  subject: { kind: string; id: string | null; name: string } = entry.subject,
  details: AuditEntry["details"] = entry.details,
): string[] {
  const { id, at, actor, action, ip, requestId } = entry;
  return [
    at.toISOString(),
    sentenceOf(entry),
    actor.name,
    actor.kind,
    action,
    subject.kind,
    subject.name,
    subject.id ?? "",
    Object.entries(details)
      .map(([name, value]) => `${name}: ${value}`)
      .join("; "),
    ip ?? "",
    requestId ?? "",
    id,
  ];
}
