import { parseArgs } from "node:util";
import { wholeNumber } from "../bin/whole-number";
import { findings, report, withInstallation } from "./faults/program";
import { faults, injectFaults } from "./faults/run";
import { someWriters } from "./faults/writers";

// npm run faults: kills, freezes and stops the server and its PostgreSQL under many writers, loses their connections, shifts the
// clock and fills the disk. Exits with 0 if nothing that was acknowledged is lost, nothing is half applied and "kb doctor --deep"
// finds nothing, else with 1.

const usage = `npm run faults -- [--rounds 5] [--only "server killed"] [--creators 2] [--quick] [--source]
--creators  how many writers create articles
--quick     checks what is stored after the last round of each fault, not after every round
--source    runs the source in development instead of the build, and expects a webhook for each created article
Faults: ${Object.keys(faults).join(", ")}`;

const args = process.argv.slice(2);
if (args.includes("--help")) {
  console.log(usage);
  process.exit();
}
const { values } = parseArgs({
  args,
  options: {
    rounds: { type: "string" },
    only: { type: "string" },
    creators: { type: "string" },
    quick: { type: "boolean", default: false },
    source: { type: "boolean", default: false },
  },
});

async function main(): Promise<void> {
  const rounds = wholeNumber("rounds", values.rounds, 5, usage);
  const creators = wholeNumber("creators", values.creators, 2, usage);
  const names = values.only ? [values.only] : Object.keys(faults);
  if (names.some((name) => !(name in faults))) throw new Error(usage);
  await withInstallation(values.source ? "source" : "production", async (installation) => {
    const writers = await someWriters(installation, { withWebhooks: values.source, creators });
    const start = Date.now();
    const outcomes = await injectFaults(installation, writers, {
      ...{ names, rounds, findings, atTheEnd: values.quick },
      tell: (line) => console.error(line),
    });
    const each = writers.all.map(({ name, acknowledged }) => `${name} ${acknowledged}`).join(", ");
    console.log(`Acknowledged since the start, by writer: ${each}.`);
    report(outcomes, Math.round((Date.now() - start) / 1_000));
  });
}

main().then(
  () => process.exit(),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  },
);
