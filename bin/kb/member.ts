import { Command } from "commander";
import { readingOf } from "@/lib/db";
import { createMember, findMemberByEmail } from "@/lib/members/members";
import { removePasskeys } from "@/lib/members/passkeys";
import { hashPassword } from "@/lib/members/passwords";
import { resetTwoStep } from "@/lib/members/two-step";
import { note } from "./output";
import { CommandError, commandLine, inNamedWorkspace, withDatabase } from "./session";

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
  const group = new Command("member").description(
    "Add members, reset their two-step verification, and remove their passkeys.",
  );

  group
    .command("create")
    .description("Adds an active member to a workspace.")
    .requiredOption("--workspace <subdomain>", "the workspace")
    .requiredOption("--email <address>", "the email, unique in the workspace")
    .requiredOption("--first-name <name>", "the first name")
    .requiredOption("--last-name <name>", "the last name")
    .requiredOption(
      "--role <role>",
      "the exact name of a role of the workspace, such as Admin, Editor, or Collaborator",
    )
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

  group
    .command("reset-two-step")
    .description("Turns off two-step verification for a member who lost their phone and their recovery codes.")
    .requiredOption("--workspace <subdomain>", "the workspace")
    .requiredOption("--email <address>", "the member's email")
    .addHelpText("after", "\nExample:\n  npm run kb -- member reset-two-step --workspace docs --email eva@example.com")
    .action(({ workspace, email }: Pick<Options, "workspace" | "email">) =>
      withDatabase(async () => {
        await inNamedWorkspace(workspace, async (db) => {
          const member = await findMemberByEmail(readingOf(db), email);
          if (!member) throw new CommandError(`No member of ${workspace} has the email ${email}.`);
          await resetTwoStep(db, member, commandLine);
        });
        note(`Reset two-step verification for ${email}. Signing in no longer asks for a code.`);
      }),
    );

  group
    .command("remove-passkeys")
    .description("Removes a member's passkeys and signs them out, after a lost device or use by someone else.")
    .requiredOption("--workspace <subdomain>", "the workspace")
    .requiredOption("--email <address>", "the member's email")
    .addHelpText("after", "\nExample:\n  npm run kb -- member remove-passkeys --workspace docs --email eva@example.com")
    .action(({ workspace, email }: Pick<Options, "workspace" | "email">) =>
      withDatabase(async () => {
        await inNamedWorkspace(workspace, async (db) => {
          const member = await findMemberByEmail(readingOf(db), email);
          if (!member) throw new CommandError(`No member of ${workspace} has the email ${email}.`);
          await removePasskeys(db, member, commandLine);
        });
        note(`Removed the passkeys of ${email} and signed them out.`);
      }),
    );

  return group;
}
