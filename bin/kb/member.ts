import { Command } from "commander";
import { createMember } from "@/lib/members/members";
import { hashPassword } from "@/lib/members/passwords";
import { note } from "./output";
import { commandLine, inNamedWorkspace, withDatabase } from "./session";

interface Options {
  workspace: string;
  email: string;
  firstName: string;
  lastName: string;
  role: string;
  timeZone: string;
  password?: string;
}

export function memberCommands(): Command {
  const group = new Command("member").description("Add members.");

  group
    .command("create")
    .description("Adds an active member to a workspace.")
    .requiredOption("--workspace <subdomain>", "the workspace")
    .requiredOption("--email <address>", "the email, unique in the workspace")
    .requiredOption("--first-name <name>", "the first name")
    .requiredOption("--last-name <name>", "the last name")
    .requiredOption("--role <role>", "the exact name of a role of the workspace, such as Admin, Editor or Collaborator")
    .option("--time-zone <zone>", "an IANA name such as Europe/Berlin", "UTC")
    .option("--password <password>", "the member's password. Without one, the member signs in by email link")
    .addHelpText(
      "after",
      "\nExample:\n  npm run kb -- member create --workspace docs --email eva@example.com --first-name Eva --last-name Example --role Editor",
    )
    .action((options: Options) =>
      withDatabase(async () => {
        // Before the transaction, because hashing is slow on purpose.
        const passwordHash = options.password === undefined ? undefined : await hashPassword(options.password);
        const { workspace, ...rest } = options;
        const { result } = await inNamedWorkspace(workspace, (db) =>
          createMember(db, { ...rest, passwordHash }, commandLine),
        );
        note(`Added ${result.email} to ${workspace} as ${result.role}.`);
        console.log(result.id);
      }),
    );

  return group;
}
