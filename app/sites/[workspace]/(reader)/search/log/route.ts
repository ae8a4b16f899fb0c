import { z } from "zod";
import { bodyOf } from "@/lib/api/input";
import { searchedText, searchPublished } from "@/lib/published-search";
import { countOfReader } from "@/lib/reader-limits";
import { noteSearch, noteSearchClick } from "@/lib/searches";
import { readAsVisitor } from "@/lib/session";
import { publicWorkspace } from "@/lib/site";
import { isCrawler } from "@/lib/viewers";

/** A search that a reader made without the page of results, and whether one of them was opened; or one of that page. */
const Said = z.union([
  z.object({ text: z.string().max(1_000), opened: z.boolean() }),
  z.object({ search: z.uuid(), opened: z.literal(true) }),
]);

/**
 * Remembers what readers search for. How much it finds is looked up here: nobody can make up numbers. The front door
 * refuses what other sites send.
 */
export async function POST(request: Request, context: { params: Promise<{ workspace: string }> }) {
  const workspace = await publicWorkspace((await context.params).workspace);
  const said = Said.safeParse(await bodyOf(request).catch(() => null));
  if (!said.success) {
    return new Response("Say what was searched: { text, opened }, or { search, opened } with its id.\n", {
      status: 422,
      headers: { "Content-Type": "text/plain; charset=utf-8" },
    });
  }
  const wait = await countOfReader("searched", workspace.id, request.headers.get("x-forwarded-for"));
  if (wait !== null) return new Response(null, { status: 429, headers: { "Retry-After": String(wait) } });
  const nobody = isCrawler({ userAgent: request.headers.get("user-agent") });
  if (workspace.searchLogEnabled && !nobody) await remember(workspace, said.data);
  return new Response(null, { status: 204 });
}

async function remember(workspace: Parameters<typeof readAsVisitor>[0], said: z.output<typeof Said>): Promise<void> {
  if ("search" in said) return noteSearchClick(workspace.id, said.search);
  const text = searchedText(said.text);
  if (text === "") return;
  const { total } = await readAsVisitor(workspace, (sight) =>
    searchPublished(sight, workspace.id, text, { limit: 1, offset: 0 }),
  );
  const id = noteSearch(workspace.id, { term: text, total });
  if (said.opened) noteSearchClick(workspace.id, id);
}
