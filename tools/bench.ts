import { Command, CommanderError } from "commander";
import { adminCommand } from "./bench/admin";
import { apiCommand, pagesCommand } from "./bench/api";
import { growthCommand } from "./bench/growth";
import { hostileCommand } from "./bench/hostile";
import { memoryCommand } from "./bench/memory";
import { searchCommand } from "./bench/search";
import { interrupt } from "./bench/search/interruption";
import { searchQualityCommand } from "./bench/search-quality";
import { writesCommand } from "./bench/writes";

// npm run bench -- …: measures speed and search quality. Exit codes: 0 done, 1 failed, 2 invalid command.

const program = new Command("bench")
  .description(
    "Measures the speed of Lectern on this machine and the quality of its search. Progress goes to standard error, tables to standard output.",
  )
  .addHelpText("after", "\nUsage: npm run bench -- <command> [options]")
  .showHelpAfterError("(add --help for options)");
const commands = [
  searchCommand(),
  searchQualityCommand(),
  adminCommand(),
  apiCommand(),
  pagesCommand(),
  writesCommand(),
  growthCommand(),
  memoryCommand(),
  hostileCommand(),
];
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
