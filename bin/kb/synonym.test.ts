import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { readWorkspace } from "@/lib/db";
import { synonymsIn } from "@/lib/search/synonyms";
import { kbIn } from "@/testing/kb";
import { aWorkspace, type TestWorkspace } from "@/testing/workspace";

// The synonym commands as a real process. Each start takes a second or more on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

let folder: string;
let workspace: TestWorkspace;

const kb = (command: string, ...args: string[]) =>
  kbIn(folder, "synonym", command, "--workspace", workspace.subdomain, ...args);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "lectern-synonym-"));
  workspace = await aWorkspace();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("synonyms are added with words of their own, listed, known to searches, and removed", async () => {
  const sso = await kb("add", "--term", "SSO", "--means", "single sign on", "--means", "shared login");
  expect([sso.code, sso.err]).toEqual([
    0,
    'Added: "SSO" also means "single sign on", "shared login", and vice versa.\n',
  ]);
  const car = await kb("add", "--term", "car", "--means", "vehicle", "--one-way");
  expect([car.code, car.err]).toEqual([0, 'Added: "car" also means "vehicle".\n']);

  const moment = "[\\d-]+ [\\d:]+";
  expect((await kb("list")).out).toMatch(
    new RegExp(
      `^ID +TERM  WAYS  ADDED \\(UTC\\) +MEANS\\n${car.out.trim()}  car   one   ${moment}  vehicle\\n` +
        `${sso.out.trim()}  SSO   both  ${moment}  single sign on, shared login\\n$`,
    ),
  );
  const meanings = () => readWorkspace(workspace.id, (read) => synonymsIn(read, ["single sign on", "car", "vehicle"]));
  expect(await meanings()).toEqual([
    { form: "single sign on", means: ["sso", "shared login"] },
    { form: "car", means: ["vehicle"] },
  ]);

  const removed = await kb("remove", sso.out.trim());
  expect([removed.code, removed.out, removed.err]).toEqual([0, "", "Removed. Searches no longer use it.\n"]);
  expect(await meanings()).toEqual([{ form: "car", means: ["vehicle"] }]);
  const entries = await readWorkspace(workspace.id, (read) =>
    read(
      "SELECT action, actor_name, subject_name FROM audit_entries WHERE subject_kind = 'synonym' ORDER BY created_at",
    ),
  );
  expect(entries).toEqual([
    { action: "synonym.created", actor_name: "Command line", subject_name: "SSO" },
    { action: "synonym.created", actor_name: "Command line", subject_name: "car" },
    { action: "synonym.removed", actor_name: "Command line", subject_name: "SSO" },
  ]);
});

test("what cannot be is said in a sentence and ends with 1, what is not understood ends with 2", async () => {
  const own = await kb("add", "--term", "Wi-Fi", "--means", "wi fi");
  expect([own.code, own.out, own.err]).toEqual([
    1,
    "",
    'The term "Wi-Fi" must not be among its own replacements, even with different case, accents, or punctuation.\n',
  ]);
  const unknown = await kb("remove", "zzz");
  expect([unknown.code, unknown.err]).toEqual([1, "There is no synonym with this ID. List the synonyms to find it.\n"]);
  expect((await kb("add", "--term", "sso")).code).toBe(2);
  // Without quotation marks, the words would be three meanings.
  expect((await kb("add", "--term", "sso", "--means", "single", "sign", "on")).code).toBe(2);
});
