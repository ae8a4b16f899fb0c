import { z } from "zod";
import { noteSearch, noteSearchClick } from "@/lib/analytics/search-log";
import { noteSearchOpen } from "@/lib/analytics/search-opens";
import { isCrawler } from "@/lib/analytics/viewers";
import { bodyOf } from "@/lib/api/input";
import { takeLimit } from "@/lib/counters";
import { tooManyRequests } from "@/lib/limits";
import { openedResult } from "@/lib/reader/opened-result";
import { searchedText } from "@/lib/reader/published-search";
import { vectorOf } from "@/lib/search/embeddings";
import { parseQuery } from "@/lib/search/query";
import { readAsVisitor } from "@/lib/session";
import { publicWorkspace } from "@/lib/site";

const text = z.string().max(1_000);
const url = z.string().max(1_000);

/** An opened result on the page of a logged search, or a search in the dialog. */
const Entry = z.union([
  z.object({ search: z.uuid(), text, opened: url }),
  z.object({ text, opened: z.union([url, z.literal(false)]) }),
]);

/** Logs readers' searches, and which results they opened. */
export async function POST(request: Request, context: { params: Promise<{ workspace: string }> }) {
  const workspace = await publicWorkspace((await context.params).workspace);
  const entry = Entry.safeParse((await bodyOf(request).catch(() => null))?.json);
  if (!entry.success) {
    return new Response(
      "Say what was searched: { text, opened }, or { search, text, opened } with the ID of the search.\n",
      {
        status: 422,
        headers: { "Content-Type": "text/plain; charset=utf-8" },
      },
    );
  }
  const ip = request.headers.get("x-forwarded-for");
  const wait = await takeLimit("searchLog", { workspace: workspace.id, network: ip });
  if (wait !== null) return new Response(null, tooManyRequests(wait));
  const isBot = isCrawler({ userAgent: request.headers.get("user-agent") });
  if (workspace.searchLogEnabled && !isBot) await remember(workspace, entry.data, ip);
  return new Response(null, { status: 204 });
}

async function remember(
  workspace: Parameters<typeof readAsVisitor>[0],
  entry: z.output<typeof Entry>,
  ip: string | null,
): Promise<void> {
  const text = searchedText(entry.text);
  if (text === "") return;
  const vector = "search" in entry ? await vectorOf(text) : null;
  const { total, articleId } = await readAsVisitor(workspace, (snapshot) =>
    openedResult(snapshot, workspace.id, text, entry.opened, vector),
  );
  const id = "search" in entry ? entry.search : noteSearch(workspace.id, { term: text, total });
  if (entry.opened) noteSearchClick(workspace.id, id);
  if (articleId) noteSearchOpen({ workspaceId: workspace.id, folded: parseQuery(text).folded, articleId, ip });
}
