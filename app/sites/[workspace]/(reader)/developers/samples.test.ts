import { type ChildProcess, execFile, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { GET as unknownPath } from "@/app/api/[...path]/route";
import { changing, plantedInvitation, plantedWebhook } from "@/app/api/external/testing.changes";
import { routes as v1 } from "@/app/api/external/v1/routes";
import { routes as v2 } from "@/app/api/external/v2/routes";
import { serveApi } from "@/lib/api/http";
import { inWorkspace } from "@/lib/db";
import { workspaceUrl } from "@/lib/http/host";
import { guideSamples } from "@/lib/reference/guide-samples";
import { type Language, languages, sampleOf } from "@/lib/reference/samples";
import { addSynonym } from "@/lib/synonyms/synonyms";
import { aCategory, anArticle, aWorkspace, type TestWorkspace } from "@/testing/workspace";
import { references } from "./_frame";

// The test runs every sample on the pages as a reader would: pasted into a file, with the key in the environment.
// The samples of team members name the member of the document's examples, so that member exists here.

const titles = ["Getting started with passwords", "Another article", "A third one"];

/** The tag of the document's examples, which the samples name. */
const TAG = "7b4e9f30-ac6d-4e8f-9021-3c4d5e6f7081";

interface Heard {
  method: string | undefined;
  url: string | undefined;
  status: number;
}

let workspace: TestWorkspace;
let server: Server;
let folder: string;
let base: string;
/** Values for the parameters of samples that read. */
let read: Record<string, string>;
/** Requests and answers since the last test. */
let heard: Heard[] = [];
/** How many more times the server answers 429 before it does the work. */
let busy = 0;

beforeAll(async () => {
  workspace = await aWorkspace();
  const category = await aCategory(workspace);
  // The samples of writes name the categories and the article of the document's examples.
  await aCategory(workspace, { id: "55b029d6-ffd2-4d38-8548-1a4f0e8c9252", name: "Account" });
  await aCategory(workspace, { id: "5f2c7d1e-8a4b-4c6d-9e0f-1a2b3c4d5e6f", name: "Your account" });
  const signIn = await aCategory(workspace, { id: "6a3d8e2f-9b5c-4d7e-8f10-2b3c4d5e6f70", name: "Sign-in" });
  await aCategory(workspace, { id: "5d1a7c3e-2b4f-4a6d-8c9e-0f1a2b3c4d5e", name: "Guides" });
  for (const id of ["6e2b8d4f-3c5a-4b7e-9d0f-1a2b3c4d5e6f", "7f3c9e50-4d6b-4c8f-8e10-2b3c4d5e6f70"]) {
    await aCategory(workspace, { id, parentId: "5d1a7c3e-2b4f-4a6d-8c9e-0f1a2b3c4d5e" });
  }
  await anArticle(workspace, { category: signIn, id: "c1a5f0b2-3d4e-4f60-8a9b-0c1d2e3f4a5b", title: "Sign in" });
  for (const title of titles) await anArticle(workspace, { category, title, html: `<p>${title}</p>` });
  const invitation_id = await plantedInvitation(workspace, "read");
  const webhook_id = await plantedWebhook(workspace, "read");
  await inWorkspace(workspace.id, async (db) => {
    const { id: roleId } = await db.role.findFirstOrThrow();
    const named = { id: memberOfTheExamples(), email: "someone@example.com", firstName: "Some", lastName: "One" };
    await db.member.create({ data: { ...named, roleId } });
    await db.tag.create({ data: { id: TAG, name: "Account", nameFolded: "account" } });
    const redirect = await db.redirect.create({ data: { fromPath: "/old", kind: "gone" }, select: { id: true } });
    const synonym = await addSynonym(db, { term: "a", replacements: ["b"] }, workspace.actor);
    read = { invitation_id, webhook_id, tag_id: TAG, redirect_id: redirect.id, synonym_id: synonym.id };
  });
  const api = serveApi(
    [
      { prefix: references.v1.basePath, paths: v1 },
      { prefix: references.v2.basePath, paths: v2 },
    ],
    unknownPath,
  );
  server = createServer((request, response) => {
    response.on("finish", () => heard.push({ method: request.method, url: request.url, status: response.statusCode }));
    if (busy > 0) {
      busy--;
      response.writeHead(429, { "Retry-After": "1", "Content-Type": "application/json" }).end('{"error":"Wait."}');
    } else void api(request, response);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  base = workspaceUrl(workspace.subdomain, `http://localhost:${port}`);
  folder = await mkdtemp(join(tmpdir(), "lectern-samples-"));
  await writeFile(join(folder, "names.mjs"), namesForNode);
  await writeFile(join(folder, "release-notes.txt"), "Nothing yet.");
  await writeFile(join(folder, "sitecustomize.py"), namesForPython);
});

afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

/** Some resolvers don't know names below localhost, which represent real ones here. */
const namesForNode = `
import dns from "node:dns";
const lookup = dns.lookup;
dns.lookup = (host, ...rest) => lookup(host.endsWith(".localhost") ? "127.0.0.1" : host, ...rest);
`;
const namesForPython = `
import socket
lookup = socket.getaddrinfo
socket.getaddrinfo = lambda host, *rest, **more: lookup("127.0.0.1" if host.endswith(".localhost") else host, *rest, **more)
`;

const programs: Record<Language, { file: string; command: string; options: string[] }> = {
  curl: { file: "sample.sh", command: "sh", options: [] },
  javascript: { file: "sample.mjs", command: process.execPath, options: ["--import", "./names.mjs"] },
  python: { file: "sample.py", command: "python3", options: [] },
};

interface Ran {
  code: number | null;
  output: string;
  errors: string;
}

async function run(language: Language, code: string, key = workspace.key.text): Promise<Ran> {
  heard = [];
  const { file, command, options } = programs[language];
  await writeFile(join(folder, file), code);
  return new Promise((resolve) => {
    const env = { ...process.env, LECTERN_API_KEY: key, PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: "1" };
    const child: ChildProcess = execFile(command, [...options, file], { cwd: folder, env }, (_, output, errors) =>
      resolve({ code: child.exitCode, output, errors }),
    );
  });
}

function memberOfTheExamples(): string {
  const operation = operationsOf("v2").find(({ anchor }) => anchor === "get-team-member");
  return operation?.parameters.find(({ name }) => name === "team_member_id")?.example ?? "";
}

function operationsOf(version: keyof typeof references) {
  return references[version].groups.flatMap(({ operations }) => operations);
}

test.each(languages)("this machine has what the samples in %s need", (language) => {
  const { command } = programs[language];
  expect(spawnSync(language === "curl" ? "curl" : command, ["--version"]).status).toBe(0);
});

test.each(languages)("a sample in %s with a wrong key says that the key is wrong", async (language) => {
  const [operation] = operationsOf("v2");
  if (!operation) throw new Error("There are operations.");
  const { output, errors } = await run(language, sampleOf(references.v2, operation, base)[language], "kb_wrong");
  expect(heard.map(({ status }) => status)).toEqual([401]);
  expect(output + errors).toMatch(/Authentication failed|401/);
});

/** The expected output of each program, and the expected answers. */
const shown: Record<keyof typeof guideSamples, { says: RegExp; statuses: number[] }> = {
  firstCall: { says: /last_four/, statuses: [200] },
  readAnError: { says: /404[^]*Not found\. Check the ID/, statuses: [404] },
  everyPage: { says: /Another article/, statuses: [200] },
  search: { says: /Getting started with passwords/, statuses: [200] },
  backOff: { says: /200|"articles"/, statuses: [429, 429, 200] },
  askAgain: { says: /200|304/, statuses: [200, 304] },
};

const guides = (Object.keys(guideSamples) as (keyof typeof guideSamples)[]).flatMap((name) =>
  languages.map((language) => ({ name, language })),
);

test.each(guides)("the program of the guides for $name in $language does what the guide says", async (guide) => {
  const { name, language } = guide;
  const program = guideSamples[name](`${base}/api/external/v2`)[language];
  if (name === "backOff") busy = 2;
  const first = await run(language, program);
  expect(first).toMatchObject({ code: 0 });
  const answers = heard;
  // The terminal sample runs twice, as its text suggests.
  if (name === "askAgain" && language === "curl") answers.push(...(await again(program)));
  expect(first.output).toMatch(shown[name].says);
  expect(answers.map(({ status }) => status)).toEqual(shown[name].statuses);
});

async function again(program: string): Promise<Heard[]> {
  await run("curl", program);
  return heard;
}

test.each(languages)("the loop over pages in %s asks for each page once and ends after the last", async (language) => {
  const small = guideSamples.everyPage(`${base}/api/external/v2`)[language].replace(/(page_size\W+)100/, "$12");
  const { code, output } = await run(language, small);
  expect(code).toBe(0);
  expect(heard.map(({ url }) => new URLSearchParams(url?.split("?")[1]).get("page_number"))).toEqual(["1", "2"]);
  expect(titles.filter((title) => !output.includes(title))).toEqual([]);
});

// After all others, because these write.
const calls = (["v2", "v1"] as const).flatMap((version) =>
  operationsOf(version).flatMap((operation) => languages.map((language) => ({ version, operation, language }))),
);

test.each(calls)("the sample of $operation.method $operation.path in $language runs as pasted", async (call) => {
  const { version, operation, language } = call;
  const name = operation.anchor.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  // The samples in other languages have created them.
  await inWorkspace(workspace.id, async (db) => {
    await db.redirect.deleteMany({ where: { fromPath: "/help/password" } });
    await db.synonym.deleteMany({ where: { termFolded: "2fa" } });
    await db.invitation.updateMany({ where: { email: "grace@example.com" }, data: { withdrawnAt: new Date() } });
  });
  const values: Record<string, string> = {
    ...read,
    article_id: titles[0]?.toLowerCase().replaceAll(" ", "-") ?? "",
    number: "1",
    category_id: "55b029d6-ffd2-4d38-8548-1a4f0e8c9252",
    team_member_id: memberOfTheExamples(),
    ...(await changing[name]?.(workspace, `${version} ${language}`))?.values,
  };
  const sample = sampleOf(references[version], operation, base, values);
  const { code, output, errors } = await run(language, sample[language]);
  expect({ code, errors: language === "curl" ? "" : errors }).toEqual({ code: 0, errors: "" });
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => values[parameter] ?? "");
  const status = Number(operation.answers.find((answer) => answer.status.startsWith("2"))?.status);
  expect(heard).toEqual([
    { method: operation.method, url: expect.stringMatching(new RegExp(`^${path}(\\?|$)`)), status },
  ]);
  expect(output.trim()).not.toBe("");
  if (language !== "javascript") expect(() => JSON.parse(output) as unknown).not.toThrow();
});
