import { acrossWorkspaces, readWorkspace } from "@/lib/db";
import { listWorkspaces, type Workspace } from "@/lib/workspaces/workspaces";
import { contentChecks } from "./contents";
import { jobChecks } from "./jobs";
import { sqlChecks } from "./sql-checks";

/** The result of one check. */
export interface Finding {
  name: string;
  remedy: string;
  count: number;
  /** The first few, with the subdomain of their workspace. */
  ids: string[];
}

/** The longest that one query may take. */
const SECONDS = 600;
const NAMED = 5;
const PAGE = 200;

/**
 * Checks the invariants of every row, one workspace at a time and through the wall, while servers work.
 * @param only one workspace instead of all
 * @returns a finding for each check, in order, also where nothing is wrong
 */
export async function checkDeeply(only?: Workspace): Promise<Finding[]> {
  const findings = new Map(
    [...sqlChecks, ...contentChecks, ...jobChecks].map(({ name, remedy }) => [
      name,
      { name, remedy, count: 0, ids: [] as string[] },
    ]),
  );
  const add = (name: string, count: number, ids: string[]) => {
    const found = findings.get(name);
    if (!found) return;
    found.count += count;
    found.ids.push(...ids.slice(0, NAMED - found.ids.length));
  };
  for await (const { id: workspaceId, subdomain } of only ? [only] : everyWorkspace()) {
    for (const { name, wrong } of sqlChecks) {
      const found = await readWorkspace(workspaceId, (read) => read<Counted>(counted(wrong)), SECONDS);
      for (const { count, ids } of found)
        add(
          name,
          count,
          ids.map((id) => `${subdomain} ${id}`),
        );
    }
    for (const { name, wrong } of contentChecks)
      for await (const id of wrong(workspaceId)) add(name, 1, [`${subdomain} ${id}`]);
  }
  for (const { name, wrong } of jobChecks) {
    const found = await acrossWorkspaces.query<Counted>(counted(wrong), [], SECONDS);
    for (const { count, ids } of found) add(name, count, ids);
  }
  return [...findings.values()];
}

async function* everyWorkspace() {
  for (let after: string | undefined = ""; after !== undefined; ) {
    const page = await listWorkspaces({ after, limit: PAGE });
    yield* page;
    after = page.at(-1)?.subdomain;
  }
}

interface Counted {
  count: number;
  ids: string[];
}

const counted = (wrong: string) => `
  SELECT count(*)::int AS count, coalesce((array_agg(id::text ORDER BY id))[1:${NAMED}], '{}') AS ids
  FROM (${wrong}) wrong`;
