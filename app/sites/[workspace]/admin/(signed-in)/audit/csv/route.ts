import { type AuditEntry, type AuditFilter, type AuditPlace, listAuditEntries } from "@/lib/audit-log";
import { csvAnswer } from "@/lib/csv";
import { readWorkspace } from "@/lib/db";
import { countOfMember, tooManyFetched } from "@/lib/member-limits";
import { outsideRequests } from "@/lib/request";
import { requireMember } from "@/lib/session";
import { publicWorkspace } from "@/lib/site";
import { auditFilterOf } from "../_filter";
import { sentenceOf } from "../_words";

/** How many entries are in memory at a time. */
const AT_ONCE = 1_000;

const columns = [
  "Time (UTC)",
  "What happened",
  "Who",
  "Kind of actor",
  "Action",
  "Kind of thing",
  "Thing",
  "Thing id",
  "Details",
  "Network address",
  "Request id",
];

/** The audit log with the filter of the page, whole, as a table for spreadsheets: read and sent piece by piece. */
export async function GET(request: Request, context: { params: Promise<{ workspace: string }> }): Promise<Response> {
  const workspace = await publicWorkspace((await context.params).workspace);
  const { id, timeZone } = await requireMember(workspace.subdomain, "settings.manage");
  const wait = await countOfMember("fetched", workspace.id, id);
  if (wait !== null) return tooManyFetched(wait);
  const filter = auditFilterOf(Object.fromEntries(new URL(request.url).searchParams), timeZone);
  const today = new Date().toISOString().slice(0, 10);
  return csvAnswer(columns, rowsOf(workspace.id, filter), `audit-log-${workspace.subdomain}-${today}`);
}

async function* rowsOf(workspaceId: string, filter: AuditFilter): AsyncGenerator<string[][]> {
  for (let before: AuditPlace | undefined; ; ) {
    // A long log takes longer than a page may wait for the database in all.
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
