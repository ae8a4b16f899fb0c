import { Command } from "commander";
import { withDatabase } from "./session";

export function migrateCommand(): Command {
  return new Command("migrate")
    .description(
      "Applies missing migrations, for a server whose database login can't. Run it with the owner's DATABASE_URL, or with the owner's DATABASE_DIRECT_URL if that is set.",
    )
    .action(() => withDatabase(async () => console.log("The database is up to date.")));
}
