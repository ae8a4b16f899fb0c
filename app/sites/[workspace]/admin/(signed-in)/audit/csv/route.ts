import { type AuditEntry, type AuditFilter, type AuditPlace, listAuditEntries } from "@/lib/audit/audit-log";
import { takeLimit } from "@/lib/counters";
import { csvAnswer } from "@/lib/csv";
import { readWorkspace } from "@/lib/db";
import { tooManyDownloads } from "@/lib/http/file-answer";
import { outsideRequests } from "@/lib/http/request";
import { requireMember } from "@/lib/session";
import { auditFilterOf } from "../_query";
import { sentenceOf } from "../_words";

/** How many entries are in memory at a time. */
const AT_ONCE = 1_000;

const columns = [
  "Time (UTC)",
  "Event",
  "User",
  "User type",
  "Action",
  "Type",
  "Object",
  "Object id",
  "Details",
  "IP address",
  "Request id",
];

/** The whole audit log with the page's filter, as CSV. Streams it in pieces. */
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
    yield entries.map(cellsOf);
    before = entries.at(-1);
    if (!hasOlder) return;
  }
}

function cellsOf(entry: AuditEntry): string[] {
  const { at, actor, action, subject, details, ip, requestId } = entry;
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
  ];
}
