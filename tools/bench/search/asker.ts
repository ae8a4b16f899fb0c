import { acrossWorkspaces, readWorkspace } from "@/lib/db";
import { searchArticles } from "@/lib/search/search";

// A process of tools/bench/search/ask.ts: an application with one database, which is asked for searches as the API asks for them.

export interface Query {
  workspaceId: string;
  texts: string[];
  /** How many at a time. */
  clients: number;
  /** Whether something that readers see has changed before, so that nothing which was kept is true any more. */
  changed: boolean;
}

/** For each text in its place: how long it took, and how many articles match; null when it was not answered. */
export interface Answered {
  milliseconds: number[];
  totals: (number | null)[];
}

/** A page of the API, when nobody says otherwise. */
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
