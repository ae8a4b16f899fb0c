import { type Read, readWorkspace } from "@/lib/db";

/** Who reads: anybody, or somebody who is signed in as a member of the workspace. */
export type Viewer = "anyone" | "member";

/** A snapshot of a workspace, and what of it is for the viewer. */
export interface Sight {
  read: Read;
  /** The categories that are not for the viewer, nor anything in them; those below a hidden one are all there too. */
  hidden: readonly string[];
  /** Whether the workspace is for its members and the viewer is none: what no category says to be for everyone is not. */
  closed: boolean;
}

/**
 * The one rule of what a reader may see: categories that are for the viewer, and of those the published articles. Every
 * page, feed, file and search for readers reads through it.
 *
 * A category is for everyone or for members, as it says itself; where it says "inherit", as the one above it does, and at the
 * top as the workspace does. Below a category for members everything is for members.
 * @param work reads one snapshot; it leaves out the articles of `hidden` and those categories themselves
 */
export function readAs<T>(
  workspace: { id: string },
  viewer: Viewer,
  work: (sight: Sight) => Promise<T>,
  seconds?: number,
): Promise<T> {
  return readWorkspace(
    workspace.id,
    async (read) =>
      work({ read, ...(viewer === "member" ? { hidden: [], closed: false } : await unseen(read, workspace.id)) }),
    seconds,
  );
}

async function unseen(read: Read, workspaceId: string): Promise<Omit<Sight, "read">> {
  const [found] = await read<Omit<Sight, "read">>(
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
