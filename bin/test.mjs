// npm test: everything that guards main, from a fresh clone on. Ends at the first stage that fails.
import { existsSync, readFileSync, unlinkSync } from "fs";
import { join } from "path";
import { buildWhenChanged } from "./build.mjs";
import { checkFolder, checkNode, prepare } from "./setup.mjs";
import { main, npm, root, run } from "./steps.mjs";

const folder = join(root, ".data/log");
const reports = { vitest: join(folder, "vitest.json"), playwright: join(folder, "playwright.json") };

const stages = [
  ["Set up", prepare],
  [
    "Format, lint, types, boundaries, dead code",
    () => {
      const [command, args] = npm(["run", "--silent", "check"]);
      return run(command, args, { failure: "npm run check found something: mend what is listed above." });
    },
  ],
  [
    "Tests",
    () =>
      run(
        process.execPath,
        [
          ...[join(root, "node_modules/vitest/vitest.mjs"), "run"],
          ...["--reporter=default", "--reporter=json", `--outputFile.json=${reports.vitest}`],
        ],
        { failure: "Tests failed: they are listed above." },
      ),
  ],
  ["Build", buildWhenChanged],
  [
    "Tests in a browser",
    () =>
      run(
        process.execPath,
        [join(root, "node_modules/playwright/cli.js"), "test", "--config=e2e", "--reporter=list,json"],
        {
          env: { PLAYWRIGHT_JSON_OUTPUT_FILE: reports.playwright },
          failure: "Tests in a browser failed: they are listed above.",
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

/** The last line of all, below whatever failed. */
function sayCounts() {
  const counts = [
    // A file that cannot even be read holds no failed test, and is one.
    count(reports.vitest, ({ numPassedTests, numFailedTests, testResults }) => [
      numPassedTests,
      numFailedTests +
        testResults.filter((file) => file.status === "failed" && file.assertionResults.length === 0).length,
    ]),
    count(reports.playwright, ({ stats }) => [stats.expected + stats.flaky, stats.unexpected]),
  ];
  const passed = counts.reduce((sum, [some]) => sum + some, 0);
  const failed = counts.reduce((sum, [, some]) => sum + some, 0);
  console.log(`\n${passed} passed, ${failed} failed`);
}

function count(report, read) {
  return existsSync(report) ? read(JSON.parse(readFileSync(report, "utf8"))) : [0, 0];
}
