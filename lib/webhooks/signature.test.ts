import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import ts from "typescript";
import { expect, test } from "vitest";
import { newSecret, signedHeaders } from "@/lib/webhooks/signature";

const run = promisify(execFile);

/** The code of the manual in a language. */
async function sample(language: string): Promise<string> {
  const page = await readFile("prisma/manual/integrate/webhooks.md", "utf8");
  const code = new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, "m").exec(page)?.[1];
  if (!code) throw new Error(`The manual has no ${language}.`);
  return code;
}

const verifiers: Record<string, (headers: object, body: string, secret: string) => Promise<string>> = {
  async ts(...given) {
    const options = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 };
    const code = ts.transpileModule(await sample("ts"), { compilerOptions: options }).outputText;
    const call = `${code}\nconsole.log(JSON.stringify(verify(...${JSON.stringify(given)})));`;
    return (await run(process.execPath, ["--input-type=module", "-e", call])).stdout;
  },
  async python(...given) {
    const call = `${await sample("python")}\nprint(json.dumps(verify(*json.loads(${JSON.stringify(JSON.stringify(given))}))))`;
    return (await run("python3", ["-c", call])).stdout;
  },
};

test.each(Object.keys(verifiers))(
  "the manual's verification in %s accepts what Lectern signs, and nothing else",
  async (language) => {
    const verify = verifiers[language]!;
    const [secret, next] = [newSecret(), newSecret()];
    const event = { type: "article.published", data: { id: "1" } };
    const body = JSON.stringify(event);
    const headers = (secrets: string[], at = new Date()) => signedHeaders({ id: "a", at, body }, secrets);
    for (const by of [[secret], [next, secret]])
      expect(JSON.parse(await verify(headers(by), body, secret))).toEqual(event);
    await expect(verify(headers([next]), body, secret)).rejects.toThrow("wrong signature");
    await expect(verify(headers([secret]), `${body} `, secret)).rejects.toThrow("wrong signature");
    await expect(verify(headers([secret], new Date(Date.now() - 400_000)), body, secret)).rejects.toThrow("too old");
  },
);
