import { keptByVersion, type Read, readWorkspace } from "@/lib/db";

export type Viewer = "anyone" | "member";

/**
 * What a viewer sees: drafts too if they are a member, and no article or category in a hidden one. What is made for a viewer is kept for
 * others (keptByVersion), so `hidden` must be what `readAs` found for this viewer.
 */
export interface Seen {
  viewer: Viewer;
  /** Categories the viewer may not see, including subcategories. */
  hidden: readonly string[];
}

export const everything: Seen = { viewer: "member", hidden: [] };

export interface Snapshot extends Seen {
  read: Read;
  /** The workspace is for members only, and the viewer isn't one. */
  closed: boolean;
}

/**
 * The one rule of what a reader may see. Every page, feed, file and search reads through it. A category inherits from its
 * parent, a top one from the workspace. Everything below a members-only category is members-only.
 * @param work must leave out the categories in `hidden` and their articles
 * @param open calls `readTogether` for quick reads
 */
export function readAs<T>(
  workspace: { id: string },
  viewer: Viewer,
  work: (snapshot: Snapshot) => Promise<T>,
  open: (workspaceId: string, work: (read: Read) => Promise<T>) => Promise<T> = readWorkspace,
): Promise<T> {
  return open(workspace.id, async (read) =>
    work({
      read,
      viewer,
      ...(viewer === "member" ? { hidden: everything.hidden, closed: false } : await unseen(read, workspace.id)),
    }),
  );
}

/** The categories that only members may read. Visitors see none of them. */
export async function closedCategories(
  read: Read,
  workspaceId: string,
  { viewer }: Pick<Seen, "viewer"> = everything,
): Promise<ReadonlySet<string>> {
  return new Set(viewer === "anyone" ? [] : (await unseen(read, workspaceId)).hidden);
}

type Unseen = Omit<Snapshot, "read" | "viewer">;

/** The size is the number of hidden categories. */
const keptUnseen = keptByVersion<Unseen>(100_000, ({ hidden }) => 10 + hidden.length);

/** What visitors don't see. */
function unseen(read: Read, workspaceId: string): Promise<Unseen> {
  return keptUnseen(read, "content", "unseen", () => findUnseen(read, workspaceId));
}

async function findUnseen(read: Read, workspaceId: string): Promise<Unseen> {
  const [found] = await read<Unseen>(
    `WITH RECURSIVE closed AS (
       SELECT c.id FROM categories c JOIN workspaces w ON w.id = c.workspace_id
       WHERE c.workspace_id = $1 AND CASE c.visibility
         WHEN 'inherit' THEN c.parent_id IS NULL AND w.visibility = 'members'
         ELSE c.visibility = 'members' END
       UNION
       SELECT c.id FROM closed JOIN categories c ON c.workspace_id = $1 AND c.parent_id = closed.id
     )
     SELECT coalesce(array_agg(id), '{}') AS hidden,
       coalesce((SELECT visibility = 'members' FROM workspaces WHERE id = $1), true) AS closed
     FROM closed`,
    [workspaceId],
  );
  return found ?? { hidden: [], closed: true };
}
