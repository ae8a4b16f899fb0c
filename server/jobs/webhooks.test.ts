import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test, vi } from "vitest";
import { startOf } from "@/testing/program";
import { aReceiver } from "@/testing/receiver";
import { plant } from "@/testing/wall";
import { aDatabase } from "@/testing/workspace";

const ROUNDS = 4;
const EVENTS = 15;

test("every committed event is delivered at least once, however often the server is killed", async ({
  onTestFinished,
}) => {
  const secret = "Kq2vXw7mZr4tBn9sLd6hFj3pGc8yTa5e";
  const made = await aDatabase(String(process.env.DATABASE_URL));
  onTestFinished(() => made.drop());
  const settings = { DATABASE_URL: await made.serverLogin(), AUTH_SECRET: secret };
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  vi.resetModules();
  const { closeConnections, inWorkspace } = await import("@/lib/db");
  const { recordAudits } = await import("@/lib/audit/audit");
  const { createEndpoint } = await import("@/lib/webhooks/endpoints");
  onTestFinished(closeConnections);
  const owner = await made.connect();
  const { id, ids } = await plant(owner);
  await owner.query("DELETE FROM webhook_endpoints");
  const { url, received } = await aReceiver(onTestFinished, (_, response) => {
    setTimeout(() => response.writeHead(204).end(), Math.random() * 40);
  });
  const actor = { kind: "system", id: null, name: "test" } as const;
  const fields = { url, description: "", events: ["article.published"] };
  await inWorkspace(id, (db) => createEndpoint(db, id, fields, actor));
  await owner.query("DELETE FROM graphile_worker._private_jobs");

  const children = new Set<ChildProcess>();
  onTestFinished(() => {
    for (const child of children) child.kill("SIGKILL");
  });
  const start = async () => {
    const child = spawn(process.execPath, startOf("testing/worker.ts"), {
      env: { ...process.env, ...settings },
      stdio: ["ignore", "pipe", "inherit"],
    });
    children.add(child);
    await once(child.stdout, "data");
    return child;
  };
  const kill = async (child: ChildProcess) => {
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
    // As if the time of a killed server were over.
    await owner.query(
      `UPDATE graphile_worker._private_jobs SET locked_at = now() - interval '2 minutes' WHERE locked_at IS NOT NULL;
       UPDATE webhook_deliveries SET due_at = now() - interval '1 second' WHERE state = 'waiting'`,
    );
  };
  const publish = () =>
    inWorkspace(id, (db) =>
      recordAudits(
        db,
        actor,
        "article.published",
        Array.from({ length: EVENTS }, () => ({
          ...{ subject: { kind: "article", id: ids.articles ?? "", name: "x" }, details: {} },
        })),
      ),
    );

  const arrived = () => new Set(received.map(({ headers }) => headers["webhook-id"]));
  for (let round = 0; round < ROUNDS; round++) {
    await publish();
    const child = await start();
    // Killed before the delivery, or as soon as something arrives.
    const before = received.length;
    if (round % 2 === 1)
      await expect.poll(() => received.length, { timeout: 30_000, interval: 5 }).toBeGreaterThan(before);
    await kill(child);
  }
  expect(received.length).toBeGreaterThan(0);
  await publish();
  const { rows } = await owner.query<{ id: string }>("SELECT id::text FROM webhook_deliveries");
  expect(rows).toHaveLength((ROUNDS + 1) * EVENTS);
  await start();
  await expect.poll(() => arrived().size, { timeout: 30_000 }).toBe(rows.length);
  expect([...arrived()].sort()).toEqual(rows.map((row) => row.id).sort());
  const waiting = async () => (await owner.query("SELECT FROM webhook_deliveries WHERE state = 'waiting'")).rowCount;
  await expect.poll(waiting, { timeout: 30_000 }).toBe(0);
}, 120_000);
