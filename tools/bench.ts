import { Command, CommanderError } from "commander";
import { adminCommand } from "./bench/admin";
import { searchCommand } from "./bench/search";
import { interrupt } from "./bench/search/interruption";
import { searchQualityCommand } from "./bench/search-quality";

// npm run bench -- …: measures speed and search quality. Exit codes: 0 done, 1 failed, 2 invalid command.

const program = new Command("bench")
  .description(
    "Measures how fast Lectern is on this machine, and how well its search answers. Progress goes to standard error, tables to standard output.",
  )
  .addHelpText("after", "\nRun it as: npm run bench -- <what> [options]")
  .showHelpAfterError("(add --help for the options)");
const commands = [searchCommand(), searchQualityCommand(), adminCommand()];
for (const command of commands) program.addCommand(command);
for (const one of [program, ...commands]) one.exitOverride();

process.on("SIGINT", interrupt).on("SIGTERM", interrupt);

program.parseAsync().then(
  () => process.exit(),
  (error: unknown) => {
    if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : 2);
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  },
);
