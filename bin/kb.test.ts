import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { paths } from "@/app/api/external/v2/_document/operations";
import { kbIn, kbWith } from "@/testing/kb";
import { startOf } from "@/testing/program";
import { aDatabase, call } from "@/testing/workspace";

// The command line as a real process. Each start takes a second or more on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

let folder: string;
const subdomain = `t-${randomBytes(6).toString("hex")}`;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "lectern-kb-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const kb = (...args: string[]) => kbIn(folder, ...args);

async function put(files: Record<string, string>): Promise<string> {
  const root = join(folder, randomBytes(4).toString("hex"));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  return root;
}

const api = (key: string, path: "/me" | "/articles" | "/team-members", query = "") =>
  call(paths[path], { subdomain, key: { id: "", text: key } }, `/api/external/v2${path}${query}`);

describe("the command line", () => {
  test("makes a workspace, a key that works, articles from a folder, and revokes the key", async () => {
    const made = await kb("workspace", "create", "--subdomain", subdomain, "--name", "Docs");
    expect([made.code, made.out]).toEqual([0, `http://${subdomain}.localhost:3000\n`]);
    expect(made.err).toContain(`the administrator admin@${subdomain}.example.`);

    const key = await kb(
      "key",
      "create",
      "--workspace",
      subdomain,
      "--name",
      "CI",
      "--scope",
      "content.read",
      "--expires-in",
      "90d",
    );
    expect(key.out).toMatch(/^kb_[0-9A-Za-z]{38}\n$/);
    const text = key.out.trim();
    const me = (await api(text, "/me")).body.api_key;
    expect([me.name, me.permission]).toEqual(["CI", "read"]);
    const days = (Date.parse(me.expires_at) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(89);
    expect(days).toBeLessThan(91);

    const articles = await put({
      "Guides/one.md": "---\ntitle: One\n---\n\nSee [two](two.md) and\n[three](three.md).\n",
      "Guides/two.md": "---\ntitle: Two\nstate: draft\n---\nText.\n",
    });
    const imported = await kb("import", "--workspace", subdomain, articles);
    expect([imported.code, imported.out.split("\n").slice(1)]).toEqual([0, ["1 broken link.", ""]]);
    expect(imported.out).toMatch(
      /^Read 2 files in [\d.]+ s: 2 new, 0 changed, and 0 unchanged articles \(1 draft\), 1 new category, 0 images and files\./,
    );
    expect(imported.err).toContain("Guides/one.md:6: Broken link: three.md");
    const titles = (await api(text, "/articles", "?sort_by=title")).body.articles;
    expect(titles.map(({ title }: { title: string }) => title)).toEqual(["One", "Two"]);
    expect((await kb("import", "--workspace", subdomain, articles)).out).toContain("0 new, 0 changed, and 2 unchanged");

    const list = await kb("key", "list", "--workspace", subdomain);
    expect(list.out).toMatch(new RegExp(`^ID .*\\n${me.id}  CI +…${text.slice(-4)}  content\\.read +works`));
    expect((await kb("key", "revoke", "--workspace", subdomain, me.id)).code).toBe(0);
    expect((await api(text, "/me")).status).toBe(401);
    expect((await kb("key", "list", "--workspace", subdomain)).out).toContain("revoked");
  });

  test("reports many findings where there is no data folder yet", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 21 }, (_, n) => [`folder/n${n}.md`, `# N${n}\n\n[Gone](gone-${n}.md)\n`]),
    );
    const dataDir = join(folder, "not", "there", "yet");
    const found = await kbWith(
      { DATA_DIR: dataDir },
      "import",
      "--workspace",
      subdomain,
      "--dry-run",
      await put(files),
    );
    expect([found.code, found.out]).toEqual([
      0,
      expect.stringMatching(/^Read 21 files .* without storing anything: 21 new[^]*21 broken links/),
    ]);
    const report = join(dataDir, `import-${subdomain}.txt`);
    expect(found.err).toContain(` lines) is in ${report}.`);
    expect(await readFile(report, "utf8")).toContain("folder/n20.md");
  });

  test("adds members and rebuilds the search", async () => {
    const names = ["--email", "eva@example.com", "--first-name", "Eva", "--last-name", "E"];
    const added = await kb(
      "member",
      "create",
      "--workspace",
      subdomain,
      ...names,
      "--role",
      "Editor",
      "--password",
      "correct horse",
    );
    expect([added.code, added.err]).toEqual([0, `Added eva@example.com to ${subdomain} as Editor.\n`]);
    const again = await kb("member", "create", "--workspace", subdomain, ...names, "--role", "editor");
    expect([again.code, again.out]).toEqual([1, ""]);
    expect(again.err).toBe(
      "Another member of this workspace has this email. The role must be exactly one of: Admin, Collaborator, Editor.\n",
    );
    expect((await kb("reindex", "--workspace", subdomain)).err).toContain(`${subdomain}: reindexed 2 articles.`);
    expect((await kb("workspace", "list")).out).toContain(`${subdomain}  Docs`);
  });

  test("checks an installation, and says what is wrong with it", async () => {
    // The jobs of other tests wait in their database.
    const database = await aDatabase(process.env.DATABASE_URL as string);
    try {
      const doctor = () => kbWith({ DATABASE_URL: database.url, DATA_DIR: folder }, "doctor");
      const health = await doctor();
      expect(health.out).toContain("ok       every workspace table has row security\n");
      for (const tried of [
        "files can be written",
        "mail can be delivered",
        "background jobs run",
        "the clocks of this machine",
      ])
        expect(health.out).toContain(`ok       ${tried}`);

      await (await database.connect()).query(
        "SELECT graphile_worker.add_job('anything', run_at := now() - interval '1 hour')",
      );
      const late = await doctor();
      expect(late.out).toContain("problem  background jobs run: Jobs that have waited for 10 minutes: 1.");
      expect(late.code).toBe(1);
    } finally {
      await database.drop();
    }
  });

  test("says what to do when something cannot be done, and ends with 1", async () => {
    const nowhere = await kb("key", "list", "--workspace", "nobody-here");
    expect([nowhere.code, nowhere.out]).toEqual([1, ""]);
    expect(nowhere.err).toMatch(/^There is no workspace nobody-here\. List the workspaces with/);
    const taken = await kb("workspace", "create", "--subdomain", subdomain, "--name", "Again");
    expect([taken.code, taken.err]).toEqual([1, `The subdomain ${subdomain} is taken. Choose another one.\n`]);
    const missing = await kb("import", "--workspace", subdomain, join(folder, "nothing"));
    expect(missing.code).toBe(1);
    expect(missing.err).toContain(join(folder, "nothing"));
    const open = await kb(
      "workspace",
      "create",
      "--subdomain",
      `${subdomain}-2`,
      "--name",
      "X",
      "--admin-password",
      "",
    );
    expect([open.code, open.err]).toEqual([1, "Use at least 12 characters, such as four words.\n"]);
    const unknown = await kb("key", "revoke", "--workspace", subdomain, "zzz");
    expect([unknown.code, unknown.err]).toEqual([1, "There is no key with this ID. List the keys to find it.\n"]);
    expect((await kb("reindex")).err).toBe("Pass --workspace <subdomain> or --all.\n");
  });

  test("ends with 2 when it does not understand, and explains every command", async () => {
    expect((await kb("frobnicate")).code).toBe(2);
    expect((await kb("key", "create", "--workspace", subdomain, "--name", "x", "--scope", "write")).code).toBe(2);
    expect(
      (await kb("key", "create", "--workspace", subdomain, "--name", "x", "--scope", "public", "--expires-in", "0d"))
        .code,
    ).toBe(2);
    const commands = [[], ["workspace", "create"], ["member", "create"], ["key", "create"], ["import"], ["doctor"]];
    const helps = await Promise.all(commands.map((command) => kb(...command, "--help")));
    for (const [index, help] of helps.entries()) {
      expect([commands[index], help.code, help.out.startsWith("Usage: kb")]).toEqual([commands[index], 0, true]);
    }
  });
});

test("the seed makes both workspaces once, and a second run keeps the way in", async () => {
  const seed = () =>
    new Promise<number | null>((resolve) => {
      const child = spawn(process.execPath, startOf("prisma/seed.ts"), {
        env: { ...process.env, DATA_DIR: folder, NODE_ENV: "development" },
        stdio: ["ignore", "ignore", "inherit"],
      });
      child.on("close", resolve);
    });
  const file = join(folder, "quickstart.json");
  expect(await seed()).toBe(0);
  const first = JSON.parse(await readFile(file, "utf8"));
  expect(await seed()).toBe(0);
  expect(JSON.parse(await readFile(file, "utf8"))).toEqual(first);

  const [demo, acme] = first.all;
  const slugsOf = async (access: { workspace: string; apiKey: string }) => {
    const workspace = { subdomain: access.workspace, key: { id: "", text: access.apiKey } };
    const list = async (state: string): Promise<string[]> => {
      const pages = [1, 2].map((page) => `?page_size=100&page_number=${page}&state=${state}`);
      const answers = await Promise.all(
        pages.map((query) => call(paths["/articles"], workspace, `/api/external/v2/articles${query}`)),
      );
      return answers.flatMap(({ body }) => body.articles.map(({ slug }: { slug: string }) => slug));
    };
    return { published: await list("published"), drafts: await list("draft") };
  };
  const manual = await slugsOf(demo);
  expect(manual.published.length).toBeGreaterThanOrEqual(30);
  expect(manual.drafts).toHaveLength(1);
  const other = await slugsOf(acme);
  expect(other.published.filter((slug) => manual.published.includes(slug)).sort()).toEqual([
    "create-an-api-key",
    "search",
    "welcome",
  ]);
});
