import { parseArgs } from "node:util";
import { closeConnections } from "@/lib/db";
import { kbWith } from "@/testing/kb";
import { table } from "../bin/kb/output";
import { wholeNumber } from "../bin/whole-number";
import { anInstallation } from "./faults/installation";
import { faults, injectFaults, type Outcome } from "./faults/run";
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
  console.error("Starting a server and its database …");
  const installation = await anInstallation(values.source ? "source" : "production");
  const interrupt = () => void installation.close().finally(() => process.exit(130));
  process.on("SIGINT", interrupt).on("SIGTERM", interrupt);
  try {
    // This process writes, too.
    Object.assign(process.env, installation.settings, { DATABASE_URL: installation.databaseUrl });
    const writers = await someWriters(installation, { withWebhooks: values.source, creators });
    const start = Date.now();
    const outcomes = await injectFaults(installation, writers, {
      ...{ names, rounds, atTheEnd: values.quick, tell: (line) => console.error(line) },
      async findings() {
        const { out, err, code } = await kbWith({}, "doctor", "--deep");
        const problems = out.split("\n").filter((line) => line.startsWith("problem"));
        return code === 0 || problems.length > 0 ? problems : [err];
      },
    });
    const each = writers.all.map(({ name, acknowledged }) => `${name} ${acknowledged}`).join(", ");
    console.log(`Acknowledged since the start, by writer: ${each}.`);
    report(outcomes, Math.round((Date.now() - start) / 1_000));
  } finally {
    await closeConnections();
    await installation.close();
  }
}

function report(outcomes: Outcome[], seconds: number): void {
  for (const { problems } of outcomes) for (const problem of new Set(problems)) console.log(problem);
  for (const { fault, impossible } of outcomes) if (impossible) console.log(`${fault} was not tried. ${impossible}`);
  const time = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
  table(
    ["fault", "rounds", "acknowledged", "lost", "half applied", "cut off", "longest wait", "recovery"],
    outcomes.map((one) => [
      ...[one.fault, one.rounds, one.acknowledged, one.lost, one.halfApplied, one.cut].map(String),
      ...[time(one.longest), time(one.recovery)],
    ]),
  );
  const problems = outcomes.reduce((sum, one) => sum + one.problems.length, 0);
  console.log(`${problems} problems in ${seconds} s.`);
  if (problems > 0) process.exitCode = 1;
}

main().then(
  () => process.exit(),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  },
);
