import { Command, CommanderError } from "commander";
import { InvalidError, NotFoundError, UnavailableError } from "@/lib/errors";
import { backupCommand } from "./kb/backup";
import { doctorCommand } from "./kb/doctor";
import { exportCommand } from "./kb/export";
import { importCommand } from "./kb/import";
import { keyCommands } from "./kb/key";
import { memberCommands } from "./kb/member";
import { migrateCommand } from "./kb/migrate";
import { note } from "./kb/output";
import { reindexCommand } from "./kb/reindex";
import { restoreCommand } from "./kb/restore";
import { synonymCommands } from "./kb/synonym";
import { uploadCommand } from "./kb/upload";
import { workspaceCommands } from "./kb/workspace";

// npm run kb -- …: the command line. Exit codes: 0 done, 1 failed, 2 invalid command.

const program = new Command("kb")
  .description("Manages a Lectern installation, whether or not its server is running.")
  .addHelpText("after", "\nUsage: npm run kb -- <command> [options]")
  .showHelpAfterError("(add --help for options)");
const commands = [
  workspaceCommands(),
  memberCommands(),
  keyCommands(),
  synonymCommands(),
  importCommand(),
  exportCommand(),
  backupCommand(),
  restoreCommand(),
  migrateCommand(),
  uploadCommand(),
  reindexCommand(),
  doctorCommand(),
];
for (const command of commands) program.addCommand(command);
const everyCommand = [program, ...commands.flatMap((command) => [command, ...command.commands])];
for (const command of everyCommand) command.exitOverride();

// A reader of our output may close it early, as `head` does.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

program.parseAsync().catch((error: unknown) => {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : 2;
    return;
  }
  // People get a sentence. Only unexpected errors come with a stack trace.
  const foreseen = error instanceof InvalidError || error instanceof UnavailableError || error instanceof NotFoundError;
  const isPlain = error instanceof Error && (foreseen || error.name === "Error" || error.name === "CommandError");
  note(isPlain ? error.message : String(error instanceof Error ? error.stack : error));
  process.exitCode = 1;
});
