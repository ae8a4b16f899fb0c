import { closeConnections } from "@/lib/db";
import { kbWith } from "@/testing/kb";
import { checkDeeply } from "../../bin/kb/deep/run";
import { table } from "../../bin/kb/output";
import { workspaceNamed } from "../../bin/kb/session";
import { anInstallation, type Installation, type Program } from "./installation";
import type { Outcome } from "./run";

// What the programs that inject faults share.

/** Runs `work` with an installation of its own, whose database is also that of this process. Nothing is left of it. */
export async function withInstallation(
  program: Program,
  work: (installation: Installation) => Promise<void>,
): Promise<void> {
  console.error("Starting a server and its database …");
  const installation = await anInstallation(program);
  const interrupt = () => void installation.close().finally(() => process.exit(130));
  process.on("SIGINT", interrupt).on("SIGTERM", interrupt);
  try {
    Object.assign(process.env, installation.settings, { DATABASE_URL: installation.databaseUrl });
    await work(installation);
  } finally {
    await closeConnections();
    await installation.close();
  }
}

/** What "kb doctor --deep" finds in the database of this process. */
export async function findings(): Promise<string[]> {
  const { out, err, code } = await kbWith({}, "doctor", "--deep");
  const problems = out.split("\n").filter((line) => line.startsWith("problem"));
  return code === 0 || problems.length > 0 ? problems : [err];
}

/** What its checks of the data find in some workspaces. */
export async function findingsIn(subdomains: readonly string[]): Promise<string[]> {
  const all: string[] = [];
  for (const subdomain of subdomains) {
    const found = await checkDeeply(await workspaceNamed(subdomain));
    all.push(...found.flatMap(({ name, count, ids }) => (count > 0 ? [`${name}: ${ids.join(", ")}`] : [])));
  }
  return all;
}

/** Prints problems and a table, and sets the exit code to 1 if there are problems. */
export function report(outcomes: Outcome[], seconds: number): void {
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
