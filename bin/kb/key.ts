import { Command, InvalidArgumentError, Option } from "commander";
import { createApiKey, listApiKeys, revokeApiKey, rotateApiKey } from "@/lib/api-keys/api-keys";
import { everyScope, type Scope, scopes } from "@/lib/api-keys/scopes";
import { readWorkspace } from "@/lib/db";
import { workspaceUrl } from "@/lib/http/host";
import { moment, note, table } from "./output";
import { commandLine, inNamedWorkspace, withDatabase, workspaceNamed } from "./session";

const DAY_MS = 24 * 60 * 60 * 1000;

const headings = [
  "ID",
  "NAME",
  "KEY",
  "SCOPES",
  "STATE",
  "CREATED BY",
  "CREATED (UTC)",
  "EXPIRES (UTC)",
  "LAST USED (UTC)",
  "FROM",
  "FOR",
];

export function keyCommands(): Command {
  const group = new Command("key").description("Create, list, rotate, and revoke API keys.");

  group
    .command("create")
    .description("Creates an API key and prints it once, alone on standard output.")
    .requiredOption("--workspace <subdomain>", "the workspace")
    .requiredOption("--name <name>", "the name of the key, such as the program that uses it")
    .addOption(
      new Option("--scope <scope...>", "what the key can do. Give more than one to combine them")
        .choices(everyScope)
        .makeOptionMandatory(),
    )
    .option("--expires-in <days>", "number of days until it expires, such as 90d", daysAhead)
    .addHelpText(
      "after",
      [
        "\nScopes:",
        ...everyScope.map((scope) => `  ${scope.padEnd(16)} ${scopes[scope].sentence}`),
        '\nExample:\n  KEY=$(npm run --silent kb -- key create --workspace docs --name "Website" --scope public)',
      ].join("\n"),
    )
    .action((options: { workspace: string; name: string; scope: Scope[]; expiresIn?: Date }) =>
      withDatabase(async (env) => {
        const { name, scope: scopes, expiresIn: expiresAt } = options;
        const { workspace, result } = await inNamedWorkspace(options.workspace, (db) =>
          createApiKey(db, { name, scopes, expiresAt }, commandLine),
        );
        note(
          `Created the key "${name}" (${scopes.join(", ")}${expiresAt ? `, until ${moment(expiresAt)} UTC` : ""}). It is shown only once:`,
        );
        console.log(result.text);
        // Uses a variable for the key, so that the key itself appears only once.
        note(
          `Try it: curl -H "X-Api-Key: $LECTERN_API_KEY" ${workspaceUrl(workspace.subdomain, env.baseUrl)}/api/external/v2/me`,
        );
      }),
    );

  group
    .command("list")
    .description("Lists the keys of a workspace, newest first, without their secrets.")
    .requiredOption("--workspace <subdomain>", "the workspace")
    .action((options: { workspace: string }) =>
      withDatabase(async () => {
        const { id } = await workspaceNamed(options.workspace);
        const rows: string[][] = [];
        for (let total = 1; rows.length < total; ) {
          const page = await readWorkspace(id, (read) => listApiKeys(read, { limit: 200, offset: rows.length }));
          total = page.total;
          for (const key of page.keys) {
            rows.push([
              key.id,
              key.name,
              `…${key.lastFour}`,
              key.scopes.join(" "),
              key.state,
              key.createdBy ?? "operator",
              moment(key.createdAt),
              moment(key.expiresAt),
              moment(key.lastUsedAt),
              key.lastUsedIp ?? "-",
              key.lastUsedRoute ?? "-",
            ]);
          }
        }
        table(headings, rows);
      }),
    );

  group
    .command("rotate")
    .description(
      "Creates a replacement for a key and prints it once, alone on standard output. Both keys work for a while.",
    )
    .argument("<id>", 'the ID that "key list" shows')
    .requiredOption("--workspace <subdomain>", "the workspace")
    .addOption(
      new Option("--overlap <time>", "grace period of the old key, such as 7d or 0h")
        .argParser(hours)
        .default(24, "24h"),
    )
    .addHelpText(
      "after",
      "\nExample:\n  KEY=$(npm run --silent kb -- key rotate --workspace docs 4f9f2f6e-0c1d-4a7b-9c55-0b8f6d1c2e3a --overlap 7d)",
    )
    .action((id: string, options: { workspace: string; overlap: number }) =>
      withDatabase(async () => {
        const { result } = await inNamedWorkspace(options.workspace, (db) =>
          rotateApiKey(db, id, { overlapHours: options.overlap }, commandLine),
        );
        const { key, oldExpiresAt } = result;
        const until = key.expiresAt ? `, until ${moment(key.expiresAt)} UTC` : "";
        note(
          `Rotated the key "${key.name}" (${key.scopes.join(", ")}${until}). The old key works until ` +
            `${moment(oldExpiresAt)} UTC. The new key is shown only once:`,
        );
        console.log(result.text);
      }),
    );

  group
    .command("revoke")
    .description("Revokes a key. Its next request is refused.")
    .argument("<id>", 'the ID that "key list" shows')
    .requiredOption("--workspace <subdomain>", "the workspace")
    .addHelpText(
      "after",
      "\nExample:\n  npm run kb -- key revoke --workspace docs 4f9f2f6e-0c1d-4a7b-9c55-0b8f6d1c2e3a",
    )
    .action((id: string, options: { workspace: string }) =>
      withDatabase(async () => {
        await inNamedWorkspace(options.workspace, (db) => revokeApiKey(db, id, commandLine));
        note("Revoked. Requests with this key are now refused.");
      }),
    );

  return group;
}

function daysAhead(text: string): Date {
  const days = Number(/^(\d{1,4})d?$/.exec(text)?.[1]);
  if (!(days >= 1)) throw new InvalidArgumentError("Use a number of days from 1 to 9999, such as 90d.");
  return new Date(Date.now() + days * DAY_MS);
}

function hours(text: string): number {
  const [, number, unit] = /^(\d{1,4})([hd])$/.exec(text) ?? [];
  if (!unit) throw new InvalidArgumentError("Use hours or days, such as 24h, 7d, or 0h.");
  return Number(number) * (unit === "d" ? 24 : 1);
}
