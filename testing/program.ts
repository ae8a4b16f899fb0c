import { join } from "node:path";
import { pathToFileURL } from "node:url";

// Compiled by testing/setup.ts.
const folder = process.env.COMPILED_PROGRAMS;

const compiled = (source: string) => (folder === undefined ? undefined : join(folder, source.replace(/\.ts$/, ".mjs")));

/** The arguments with which Node starts a program of the repository, such as "bin/kb.ts". */
export function startOf(source: string): string[] {
  const file = compiled(source);
  return file ? ["--enable-source-maps", file] : ["--import", "tsx", source];
}

/** The arguments with which Node imports `names` from a file of the repository, and then runs `code`. */
export function evaluating(source: string, names: string, code: string, ...args: string[]): string[] {
  const file = compiled(source);
  const url = pathToFileURL(file ?? source).href;
  const script = `import ${names} from ${JSON.stringify(url)};\n${code}`;
  return [...(file ? [] : ["--import", "tsx"]), "--input-type=module", "-e", script, ...args];
}
