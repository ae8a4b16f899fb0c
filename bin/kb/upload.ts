import { createReadStream } from "node:fs";
import { basename } from "node:path";
import { Command, Option } from "commander";
import { inWorkspace, readWorkspace } from "@/lib/db";
import { workspaceUrl } from "@/lib/http/host";
import { findMemberByEmail } from "@/lib/members/members";
import { setLogo } from "@/lib/settings/appearance";
import type { UploadKind } from "@/lib/uploads/kinds";
import { setPicture, storeUpload } from "@/lib/uploads/uploads";
import { note } from "./output";
import { CommandError, commandLine, withDatabase, workspaceNamed } from "./session";

interface Options {
  workspace: string;
  as: UploadKind;
  member?: string;
}

export function uploadCommand(): Command {
  return new Command("upload")
    .description("Uploads a file, and can make it the logo or a member's picture.")
    .argument("<path>", "the file")
    .requiredOption("--workspace <subdomain>", "the workspace")
    .addOption(
      new Option("--as <kind>", "the kind of file. Unused files are deleted after a day")
        .choices(["logo", "picture", "image", "attachment"])
        .makeOptionMandatory(),
    )
    .option("--member <address>", "the email of the member in the picture")
    .addHelpText("after", "\nExample:\n  npm run kb -- upload logo.png --workspace docs --as logo")
    .action((path: string, { workspace: subdomain, as: kind, member: email }: Options) =>
      withDatabase(async ({ baseUrl }) => {
        if ((kind === "picture") !== (email !== undefined)) {
          throw new CommandError("A picture belongs to a member. Use --as picture and --member <email> together.");
        }
        const { id } = await workspaceNamed(subdomain);
        const member = email === undefined ? null : await readWorkspace(id, (read) => findMemberByEmail(read, email));
        if (email !== undefined && !member) throw new CommandError(`No member of ${subdomain} has the email ${email}.`);
        const content = createReadStream(path);
        const upload = await storeUpload(id, { filename: basename(path), content, by: null, kind }).catch(unreadable);
        if (member) await inWorkspace(id, (db) => setPicture(db, member.id, upload.id, commandLine));
        if (kind === "logo") await inWorkspace(id, (db) => setLogo(db, upload.id, commandLine));
        const size = upload.width === null ? "" : `, ${upload.width} × ${upload.height} pixels`;
        note(`Stored ${upload.filename} as ${upload.contentType}, ${upload.byteSize} bytes${size}.`);
        console.log(workspaceUrl(subdomain, baseUrl) + upload.path);
      }),
    );
}

function unreadable(error: NodeJS.ErrnoException): never {
  if (error.code === "ENOENT" || error.code === "EISDIR" || error.code === "EACCES") {
    throw new CommandError(`${error.path ?? "The path"} is not a readable file. Pass the path of a file.`);
  }
  throw error;
}
