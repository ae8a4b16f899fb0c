import { Command } from "commander";
import { workspaceUrl } from "@/lib/http/host";
import { hashPassword } from "@/lib/members/passwords";
import { createWorkspace, listWorkspaces } from "@/lib/workspaces/workspaces";
import { moment, note, table } from "./output";
import { commandLine, withDatabase } from "./session";

export function workspaceCommands(): Command {
  const group = new Command("workspace").description("Create and list workspaces.");

  group
    .command("create")
    .description("Creates a workspace with its roles and first administrator.")
    .requiredOption(
      "--subdomain <subdomain>",
      "the name in front of the domain, in lowercase letters, digits, and hyphens",
    )
    .requiredOption("--name <name>", "the name that readers see")
    .option("--time-zone <zone>", "an IANA name such as Europe/Berlin", "UTC")
    .option("--admin-email <address>", "the administrator's email (default: admin@<subdomain>.example)")
    .option("--admin-first-name <name>", "the administrator's first name", "Workspace")
    .option("--admin-last-name <name>", "the administrator's last name", "Administrator")
    .option(
      "--admin-password <password>",
      "the administrator's password. Without one, the administrator signs in by email link",
    )
    .addHelpText(
      "after",
      '\nExample:\n  npm run kb -- workspace create --subdomain docs --name "Docs" --admin-email ada@example.com',
    )
    .action((options: Record<string, string | undefined> & { subdomain: string; name: string }) =>
      withDatabase(async (env) => {
        const workspace = await createWorkspace(
          {
            subdomain: options.subdomain,
            name: options.name,
            timeZone: options.timeZone,
            administrator: {
              email: options.adminEmail ?? `admin@${options.subdomain.trim().toLowerCase()}.example`,
              firstName: options.adminFirstName ?? "",
              lastName: options.adminLastName ?? "",
              passwordHash: options.adminPassword === undefined ? undefined : await hashPassword(options.adminPassword),
            },
          },
          commandLine,
        );
        note(`Created the workspace ${workspace.subdomain} with the administrator ${workspace.administrator.email}.`);
        if (options.adminPassword === undefined) {
          note("The administrator has no password yet. Sign in by email link and set one.");
        }
        console.log(workspaceUrl(workspace.subdomain, env.baseUrl));
      }),
    );

  group
    .command("list")
    .description("Lists the workspaces by subdomain.")
    .action(() =>
      withDatabase(async (env) => {
        const rows: string[][] = [];
        for (let after: string | undefined = ""; after !== undefined; ) {
          const page = await listWorkspaces({ after, limit: 200 });
          for (const { subdomain, name, createdAt } of page) {
            rows.push([subdomain, name, moment(createdAt), workspaceUrl(subdomain, env.baseUrl)]);
          }
          after = page.at(-1)?.subdomain;
        }
        table(["SUBDOMAIN", "NAME", "CREATED (UTC)", "URL"], rows);
      }),
    );

  return group;
}
