// npm test: everything that guards main, from a fresh clone on. Ends at the first stage that fails.
import { existsSync, readFileSync, unlinkSync } from "fs";
import { join } from "path";
import { buildWhenChanged } from "./build.mjs";
import { checkFolder, checkNode, prepare } from "./setup.mjs";
import { main, npm, root, run } from "./steps.mjs";

const folder = join(root, ".data/log");
const reports = {
  vitest: join(folder, "vitest.json"),
  frontDoor: join(folder, "front-door.json"),
  next: join(folder, "next.json"),
  playwright: join(folder, "playwright.json"),
};

const vitest = (report, env) =>
  run(
    process.execPath,
    [
      ...[join(root, "node_modules/vitest/vitest.mjs"), "run"],
      ...["--reporter=default", "--reporter=json", `--outputFile.json=${report}`],
    ],
    { env, failure: "Tests failed. They are listed above." },
  );

const stages = [
  ["Set up", prepare],
  [
    "Format, lint, types, boundaries, dead code",
    () => {
      const [command, args] = npm(["run", "--silent", "check"]);
      return run(command, args, { failure: "npm run check found problems. Fix those listed above." });
    },
  ],
  ["Tests", () => vitest(reports.vitest, { CONTRACT_TARGET: "later" })],
  ["Build", buildWhenChanged],
  ["The API's contract through the front door", () => vitest(reports.frontDoor, { CONTRACT_TARGET: "front door" })],
  ["The API's contract through Next", () => vitest(reports.next, { CONTRACT_TARGET: "next" })],
  [
    "Random requests",
    () =>
      run(
        process.execPath,
        [
          ...[join(root, "node_modules/tsx/dist/cli.mjs"), join(root, "tools/fuzz.ts")],
          ...["--requests", "10000", "--seed", process.env.FUZZ_SEED || "1"],
        ],
        { failure: "Answers to random requests broke the contract. They are listed above." },
      ),
  ],
  [
    "Browser tests",
    () =>
      run(
        process.execPath,
        [join(root, "node_modules/playwright/cli.js"), "test", "--config=e2e", "--reporter=list,json"],
        {
          env: { PLAYWRIGHT_JSON_OUTPUT_FILE: reports.playwright },
          failure: "Browser tests failed. They are listed above.",
        },
      ),
  ],
];

main(async () => {
  checkNode();
  checkFolder();
  for (const report of Object.values(reports)) if (existsSync(report)) unlinkSync(report);
  try {
    for (const [name, work] of stages) {
      const start = Date.now();
      console.log(`\n── ${name}`);
      await work();
      console.log(`── ${name}: ${((Date.now() - start) / 1000).toFixed(1)} s`);
    }
  } finally {
    process.once("exit", sayCounts);
  }
});

/** The last line of the output, below any failures. */
function sayCounts() {
  const counts = [
    // A file that fails to load contains no failed test, but counts as one.
    ...[reports.vitest, reports.frontDoor, reports.next].map((report) =>
      count(report, ({ numPassedTests, numFailedTests, testResults }) => [
        numPassedTests,
        numFailedTests +
          testResults.filter((file) => file.status === "failed" && file.assertionResults.length === 0).length,
      ]),
    ),
    count(reports.playwright, ({ stats }) => [stats.expected + stats.flaky, stats.unexpected]),
  ];
  const passed = counts.reduce((sum, [some]) => sum + some, 0);
  const failed = counts.reduce((sum, [, some]) => sum + some, 0);
  console.log(`\n${passed} passed, ${failed} failed`);
}

function count(report, read) {
  return existsSync(report) ? read(JSON.parse(readFileSync(report, "utf8"))) : [0, 0];
}
