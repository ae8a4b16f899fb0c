// npm run openapi: generates files from the operations of the external API. They are committed, and tests compare them with
// the code: each version's OpenAPI document and the types of the client. Never removes anything that a client uses.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { version as v1 } from "@/app/api/external/v1/_document/document";
import { version as v2 } from "@/app/api/external/v2/_document/document";
import { breakingChanges } from "@/lib/api/compatibility";
import { openApiDocument } from "@/lib/api/openapi";
import { clientTypes, type Document } from "./openapi/client-types";

const { values, positionals } = parseArgs({ options: { break: { type: "boolean" } }, allowPositionals: true });
const root = positionals[0] ?? join(import.meta.dirname, "..");

const read = (path: string) => (existsSync(path) ? readFileSync(path, "utf8") : null);

const documents = Object.entries({ v1, v2 }).map(([name, version]) => {
  const path = join(root, "docs/openapi", `${name}.json`);
  const document = openApiDocument(version);
  const before = read(path);
  return {
    path,
    text: `${JSON.stringify(document, null, 2)}\n`,
    broken: before === null ? [] : breakingChanges(JSON.parse(before) as object, document),
  };
});
const types = {
  path: join(root, "packages/client/src/types.ts"),
  text: clientTypes(openApiDocument(v2) as unknown as Document),
};

const broken = documents.flatMap(({ path, broken }) => broken.map((change) => `${path}: ${change}`));
if (broken.length > 0 && !values.break) {
  console.error(
    [
      "Nothing was written because clients would break:",
      ...broken,
      "Make the change an addition instead. If it was never released, or you must break clients, run: npm run openapi -- --break",
    ].join("\n"),
  );
  process.exitCode = 1;
} else {
  for (const { path, text } of [...documents, types]) {
    const isNew = text !== read(path);
    if (isNew) writeFileSync(path, text);
    console.log(`${path}: ${isNew ? "written" : "up to date"}`);
  }
}
