import { Command } from "commander";
import { reindexWorkspace } from "@/lib/search/reindex";
import { listWorkspaces, type Workspace } from "@/lib/workspaces/workspaces";
import { count, note, progress } from "./output";
import { CommandError, withDatabase, workspaceNamed } from "./session";

export function reindexCommand(): Command {
  return new Command("reindex")
    .description("Rebuilds the search index while searches keep working.")
    .option("--workspace <subdomain>", "one workspace")
    .option("--all", "every workspace")
    .addHelpText("after", "\nExample:\n  npm run kb -- reindex --workspace docs")
    .action((options: { workspace?: string; all?: boolean }) => {
      if (Boolean(options.workspace) === Boolean(options.all)) {
        throw new CommandError("Pass --workspace <subdomain> or --all.");
      }
      return withDatabase(async () => {
        if (options.workspace) return reindex(await workspaceNamed(options.workspace));
        for (let after: string | undefined = ""; after !== undefined; ) {
          const page = await listWorkspaces({ after, limit: 200 });
          for (const workspace of page) await reindex(workspace);
          after = page.at(-1)?.subdomain;
        }
      });
    });
}

async function reindex(workspace: Workspace): Promise<void> {
  const bar = progress();
  const articles = await reindexWorkspace(workspace.id, (done, total) => bar.show(workspace.subdomain, done, total));
  bar.end();
  note(`${workspace.subdomain}: reindexed ${count(articles, "article")}.`);
}
