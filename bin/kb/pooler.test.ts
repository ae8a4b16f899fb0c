import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { kbWith } from "@/testing/kb";
import { aPooler } from "@/testing/pooler";
import { aDatabase } from "@/testing/workspace";

vi.setConfig({ testTimeout: 120_000 });

test("commands work behind a pooler in transaction mode with a direct URL, and say that they need it", async ({
  onTestFinished,
}) => {
  const folder = await mkdtemp(join(tmpdir(), "lectern-pooler-"));
  const made = await aDatabase(String(process.env.DATABASE_URL));
  const login = await made.serverLogin();
  const pooler = await aPooler(login);
  onTestFinished(async () => {
    await pooler.stop();
    await made.drop();
    await rm(folder, { recursive: true });
  });
  const kb = (direct: string, ...args: string[]) =>
    kbWith({ DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: direct, DATA_DIR: folder }, ...args);

  const refused = await kb("", "doctor");
  expect([refused.code, refused.out]).toEqual([1, ""]);
  expect(refused.err).toBe(
    `DATABASE_URL is the URL of a connection pooler that doesn't keep sessions or pass on notifications, at ${new URL(pooler.url).host}. Migrations and background jobs don't work through it. Set DATABASE_DIRECT_URL to the URL of PostgreSQL itself.\n`,
  );

  const elsewhere = await kb(String(process.env.DATABASE_URL), "doctor");
  expect([elsewhere.code, elsewhere.err]).toEqual([
    1,
    expect.stringMatching(/^DATABASE_URL and DATABASE_DIRECT_URL are different databases\. Set both /),
  ]);

  const health = await kb(login, "doctor");
  expect(health.out).toMatch(/^(ok|note) {5,7}the pooler keeps prepared statements/m);
  expect((await kbWith({ DATABASE_URL: login, DATA_DIR: folder }, "doctor")).out).not.toContain("the pooler keeps");
  expect((await kb(login, "workspace", "create", "--subdomain", "docs", "--name", "Docs")).code).toBe(0);
  const imported = await kb(login, "import", "--workspace", "docs", "prisma/acme");
  expect([imported.out, imported.code]).toEqual([expect.stringMatching(/^Read 8 files .* 8 new/), 0]);
  const saved = await kb(login, "backup", "--out", join(folder, "lectern.zip"));
  expect(saved.out).toMatch(/^Saved and checked 1 workspace, /);
  const restored = await kb(login, "restore", join(folder, "lectern.zip"));
  expect(restored.err).toContain("isn't the owner. Set DATABASE_DIRECT_URL to the owner's for this command.\n");
  // A lock on a session of the pooler would still be held.
  const again = await kb(login, "backup", "--out", join(folder, "again.zip"));
  expect(again.out).toMatch(/^Saved and checked 1 workspace, /);
});
