import { Command } from "commander";
import { readWorkspace } from "@/lib/db";
import { addSynonym, listSynonyms, removeSynonym } from "@/lib/synonyms/synonyms";
import { moment, note, table } from "./output";
import { commandLine, inNamedWorkspace, withDatabase, workspaceNamed } from "./session";

export function synonymCommands(): Command {
  const group = new Command("synonym").description("Add, list, and remove synonyms for search.");

  group
    .command("add")
    .description("Adds a synonym, so a search for the term also finds its replacements, and vice versa.")
    .requiredOption("--workspace <subdomain>", "the workspace")
    .requiredOption("--term <words>", "the search term, up to 5 words")
    .requiredOption("--means <words>", "a replacement, up to 5 words. Repeat the option for more", another)
    .option("--one-way", "searches for a replacement don't find the term")
    .addHelpText(
      "after",
      '\nExample:\n  npm run kb -- synonym add --workspace docs --term sso --means "single sign on" --means "shared login"',
    )
    .action((options: { workspace: string; term: string; means: string[]; oneWay?: boolean }) =>
      withDatabase(async () => {
        const { result } = await inNamedWorkspace(options.workspace, (db) =>
          addSynonym(db, { term: options.term, replacements: options.means, twoWay: !options.oneWay }, commandLine),
        );
        note(
          `Added: "${result.term}" also means ${result.replacements.map((text) => `"${text}"`).join(", ")}` +
            `${result.twoWay ? ", and vice versa" : ""}.`,
        );
        console.log(result.id);
      }),
    );

  group
    .command("list")
    .description("Lists the synonyms of a workspace by term.")
    .requiredOption("--workspace <subdomain>", "the workspace")
    .action((options: { workspace: string }) =>
      withDatabase(async () => {
        const { id } = await workspaceNamed(options.workspace);
        const rows: string[][] = [];
        for (let total = 1; rows.length < total; ) {
          const page = await readWorkspace(id, (read) => listSynonyms(read, { limit: 200, offset: rows.length }));
          total = page.total;
          for (const synonym of page.synonyms) {
            rows.push([
              synonym.id,
              synonym.term,
              synonym.twoWay ? "both" : "one",
              moment(synonym.createdAt),
              synonym.replacements.join(", "),
            ]);
          }
        }
        table(["ID", "TERM", "WAYS", "ADDED (UTC)", "MEANS"], rows);
      }),
    );

  group
    .command("remove")
    .description("Removes a synonym, starting with the next search.")
    .argument("<id>", 'the ID that "synonym list" shows')
    .requiredOption("--workspace <subdomain>", "the workspace")
    .addHelpText(
      "after",
      "\nExample:\n  npm run kb -- synonym remove --workspace docs 4f9f2f6e-0c1d-4a7b-9c55-0b8f6d1c2e3a",
    )
    .action((id: string, options: { workspace: string }) =>
      withDatabase(async () => {
        await inNamedWorkspace(options.workspace, (db) => removeSynonym(db, id, commandLine));
        note("Removed. Searches no longer use it.");
      }),
    );

  return group;
}

/** An option that may be repeated. */
function another(words: string, before: string[] = []): string[] {
  return [...before, words];
}
