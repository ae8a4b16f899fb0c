import { readWorkspace } from "@/lib/db";
import { READ_SECONDS } from "@/lib/import/existing";
import type { PlannedFile } from "@/lib/import/plan";
import type { AnchorLink, Finding } from "@/lib/import/prepare";

/** Finds links to headings that do not exist. `ids` maps the files of this run to the ids of their headings. */
export async function missingAnchors(
  workspaceId: string,
  links: readonly AnchorLink[],
  ids: ReadonlyMap<string, readonly string[]>,
  files: readonly PlannedFile[],
): Promise<Finding[]> {
  const idOfFile = new Map(files.map(({ path, id }) => [path, id]));
  const stored = await storedIds(
    workspaceId,
    [...new Set(links.map(({ target }) => target))].flatMap((path) => {
      const id = idOfFile.get(path);
      return ids.has(path) || id === undefined ? [] : [id];
    }),
  );
  return links.flatMap(({ target, anchor, ...link }): Finding[] => {
    const known = ids.get(target) ?? stored.get(idOfFile.get(target) ?? "");
    return known && !known.includes(anchor) ? [{ kind: "missing_anchor", ...link }] : [];
  });
}

async function storedIds(workspaceId: string, articles: readonly string[]): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for (let at = 0; at < articles.length; at += 1_000) {
    const rows = await readWorkspace(
      workspaceId,
      (read) =>
        read<{ id: string; headings: { id: string }[] }>(
          `SELECT id, headings FROM article_live WHERE id = ANY($1::uuid[])
         UNION ALL
         SELECT d.id, d.headings FROM article_drafts d
         JOIN articles a ON a.workspace_id = d.workspace_id AND a.id = d.id AND a.state = 'draft'
         WHERE d.id = ANY($1::uuid[])`,
          [articles.slice(at, at + 1_000)],
        ),
      READ_SECONDS,
    );
    for (const { id, headings } of rows)
      found.set(
        id,
        headings.map((heading) => heading.id),
      );
  }
  return found;
}
