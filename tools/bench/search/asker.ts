import { acrossWorkspaces, readWorkspace } from "@/lib/db";
import { searchArticles } from "@/lib/search/search";

// A process of tools/bench/search/ask.ts: an application with one database. It runs searches as the API would.

export interface Query {
  workspaceId: string;
  texts: string[];
  /** The number of parallel searches. */
  clients: number;
  /** Whether published content changes first, which makes every cached value stale. */
  changed: boolean;
}

/** For each text, in order: its duration, and the number of matching articles. Null after a failure. */
export interface Answered {
  milliseconds: number[];
  totals: (number | null)[];
}

/** The API's default page size. */
const PAGE = { limit: 30, offset: 0 };

async function answer({ workspaceId, texts, clients, changed }: Query): Promise<Answered> {
  if (changed)
    await acrossWorkspaces.query("UPDATE content_versions SET version = version + 1 WHERE workspace_id = $1", [
      workspaceId,
    ]);
  const answered: Answered = { milliseconds: [], totals: [] };
  let next = 0;
  const client = async () => {
    for (let index = next++; index < texts.length; index = next++) {
      const start = performance.now();
      answered.totals[index] = await readWorkspace(workspaceId, (read) =>
        searchArticles(read, workspaceId, texts[index] as string, PAGE),
      ).then(
        ({ total }) => total,
        () => null,
      );
      answered.milliseconds[index] = performance.now() - start;
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return answered;
}

process.once("disconnect", () => process.exit());
process.on("message", (query: Query) => {
  void answer(query).then((answered) => process.send?.(answered));
});
