import { z } from "zod";
import { noteSearch, noteSearchClick } from "@/lib/analytics/search-log";
import { isCrawler } from "@/lib/analytics/viewers";
import { bodyOf } from "@/lib/api/input";
import { takeLimit } from "@/lib/counters";
import { tooManyRequests } from "@/lib/limits";
import { searchedText, searchPublished } from "@/lib/reader/published-search";
import { readAsVisitor } from "@/lib/session";
import { publicWorkspace } from "@/lib/site";

/** A search in the dialog, or an opened result of a logged search. */
const Entry = z.union([
  z.object({ text: z.string().max(1_000), opened: z.boolean() }),
  z.object({ search: z.uuid(), opened: z.literal(true) }),
]);

/** Logs readers' searches. Counts the results itself, so that clients cannot invent numbers. */
export async function POST(request: Request, context: { params: Promise<{ workspace: string }> }) {
  const workspace = await publicWorkspace((await context.params).workspace);
  const entry = Entry.safeParse(await bodyOf(request).catch(() => null));
  if (!entry.success) {
    return new Response("Say what was searched: { text, opened }, or { search, opened } with its id.\n", {
      status: 422,
      headers: { "Content-Type": "text/plain; charset=utf-8" },
    });
  }
  const wait = await takeLimit("searchLog", {
    workspace: workspace.id,
    network: request.headers.get("x-forwarded-for"),
  });
  if (wait !== null) return new Response(null, tooManyRequests(wait));
  const isBot = isCrawler({ userAgent: request.headers.get("user-agent") });
  if (workspace.searchLogEnabled && !isBot) await remember(workspace, entry.data);
  return new Response(null, { status: 204 });
}

async function remember(workspace: Parameters<typeof readAsVisitor>[0], entry: z.output<typeof Entry>): Promise<void> {
  if ("search" in entry) return noteSearchClick(workspace.id, entry.search);
  const text = searchedText(entry.text);
  if (text === "") return;
  const { total } = await readAsVisitor(workspace, (snapshot) =>
    searchPublished(snapshot, workspace.id, text, { limit: 1, offset: 0 }),
  );
  const id = noteSearch(workspace.id, { term: text, total });
  if (entry.opened) noteSearchClick(workspace.id, id);
}
