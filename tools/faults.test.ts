import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { anInstallation, type Installation } from "./faults/installation";

vi.setConfig({ testTimeout: 240_000, hookTimeout: 60_000 });

let installation: Installation;

beforeAll(async () => {
  installation = await anInstallation("source");
  for (const [name, value] of Object.entries({ ...installation.settings, DATABASE_URL: installation.databaseUrl }))
    vi.stubEnv(name, value);
  // Connections go to the database of the environment.
  vi.resetModules();
});

afterAll(async () => {
  const { closeConnections } = await import("@/lib/db");
  await closeConnections();
  await installation.close();
  vi.unstubAllEnvs();
});

test("no acknowledged write is lost and none is half applied, whatever happens to the server and PostgreSQL", async () => {
  const [{ injectFaults }, { someWriters }, { checkDeeply }] = await Promise.all([
    import("./faults/run"),
    import("./faults/writers"),
    import("../bin/kb/deep/run"),
  ]);
  const outcomes = await injectFaults(installation, await someWriters(installation, { withWebhooks: true }), {
    names: ["server killed", "PostgreSQL killed", "connections black-holed", "clock jumps"],
    rounds: 1,
    findings: async () =>
      (await checkDeeply()).flatMap(({ name, count, ids }) => (count > 0 ? [`${name}: ${ids.join(", ")}`] : [])),
  });
  for (const { problems, lost, halfApplied, acknowledged } of outcomes) {
    expect({ problems, lost, halfApplied }).toEqual({ problems: [], lost: 0, halfApplied: 0 });
    expect(acknowledged).toBeGreaterThan(0);
  }
});

test("random requests get the answers of the contract or a 503 while PostgreSQL is away, and no 503 afterward", async () => {
  const [{ injectFaults }, { plantWorld }, { randomRequests }, { tagsOf, warmedUp }, { targetAt }] = await Promise.all([
    import("./faults/run"),
    import("./fuzz/plant"),
    import("./fuzz/faults"),
    import("./fuzz/remote"),
    import("./fuzz/send"),
  ]);
  const target = targetAt(installation.address);
  const planted = { ...(await plantWorld(installation.databaseUrl)), domain: new URL(installation.baseUrl).host };
  await warmedUp(target, planted);
  const requests = randomRequests({ ...planted, tags: await tagsOf(target, planted) }, target, {
    seed: 1,
    // Other tests keep the machine busy.
    limitMs: 15_000,
    // The server of this test has no limits on heads of requests.
    only: ({ kind, expected }) => kind === "request" && expected.some((status) => status < 400),
  });
  const outcomes = await injectFaults(installation, requests, {
    names: ["PostgreSQL killed", "table locked"],
    rounds: 1,
  });
  expect(requests.tally.findings.map(({ sample, problems }) => [sample.name, ...problems])).toEqual([]);
  for (const { problems } of outcomes) expect(problems).toEqual([]);
  const refused = [...requests.tally.statuses.values()].reduce((sum, row) => sum + (row.get("503") ?? 0), 0);
  expect(refused).toBeGreaterThan(0);
});
