import { expect, test, vi } from "vitest";
import { anInstallation } from "./faults/installation";

vi.setConfig({ testTimeout: 240_000 });

test("no acknowledged write is lost and none is half applied, whatever happens to the server and PostgreSQL", async ({
  onTestFinished,
}) => {
  const installation = await anInstallation("source");
  onTestFinished(installation.close);
  for (const [name, value] of Object.entries({ ...installation.settings, DATABASE_URL: installation.databaseUrl }))
    vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  // Their connections go to the database of the environment.
  vi.resetModules();
  const [{ injectFaults }, { someWriters }, { checkDeeply }, { closeConnections }] = await Promise.all([
    import("./faults/run"),
    import("./faults/writers"),
    import("../bin/kb/deep/run"),
    import("@/lib/db"),
  ]);
  onTestFinished(closeConnections);
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
