import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig } from "vitest/config";

/**
 * "front door" or "next": the contract's tests over HTTP through that (testing/server.ts). "later": all other tests. Without it,
 * all tests, and those of the contract call the handlers in this process.
 */
const target = process.env.CONTRACT_TARGET;
const overHttp = target === "front door" || target === "next";
/** What does not depend on how a request arrives, such as the order of results. */
const elsewhere = [
  "app/api/external/v2/search/{fuzz,languages,laws,many,weights}.test.ts",
  // In production, webhooks go to no address of this machine.
  "app/api/external/v2/webhooks/**/*.test.ts",
];
// Next answers in development only, with the same handlers, so it runs fewer tests. The front door runs all that use HTTP.
const notThroughNext = [
  "app/api/external/{canary,fresh,idempotency,isolation,kept,scopes,searches,unavailable,visibility,writes}.test.ts",
  "app/api/external/v2/**",
  "packages/client/**",
];

/** With tests of their own for functions. */
const inProcess = [...elsewhere, "app/api/external/kept.test.ts"];
const overHttpTests = ["app/api/external/**/*.test.ts", "packages/client/src/client.test.ts"];
const exclude = [
  ...configDefaults.exclude,
  ...(overHttp ? elsewhere : []),
  ...(target === "next" ? notThroughNext : []),
  ...(target === "later" ? overHttpTests : []),
];
const folders = ["app", "components", "lib", "server", "testing", "bin", "tools", "packages", "prisma"];
const inSource = [`{${folders.join(",")}}/**/*.test.{ts,tsx}`, "*.test.ts"];
const changesItsProcess =
  /\bvi\.(?!(fn|setConfig)\b)|process\.env(?!\.\w+\b(?! (\?\?|\|\|)?=[^=]))|configureGlobal|closeConnections/;
/**
 * Files that change what other files in the same process would see: modules, the clock, the environment, connections, the seed.
 * Vitest resets its own settings after each file. To read a setting changes nothing, but programs get all of them.
 */
const apart = [
  ...readdirSync(".").filter((name) => name.endsWith(".test.ts")),
  ...folders.flatMap((folder) => testsIn(folder)),
].filter((file) => changesItsProcess.test(readFileSync(file, "utf8")));

function testsIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.test\.tsx?$/.test(name) && !name.includes("node_modules"))
    .map((name) => `${folder}/${name}`);
}

const resolve = { alias: { "@": fileURLToPath(new URL(".", import.meta.url)).replace(/\/$/, "") } };
const common = {
  // Vite has a BASE_URL of its own, which is a path.
  env: { BASE_URL: "http://localhost:3000" },
  // Next compiles a route when it is first asked for.
  expect: { poll: { timeout: 10_000 } },
  testTimeout: overHttp ? 60_000 : 20_000,
  hookTimeout: overHttp ? 60_000 : 30_000,
};

const env = { ...common.env, AUTH_SECRET: "Kq2vXw7mZr4tBn9sLd6hFj3pGc8yTa5e" };

export default defineConfig({
  resolve,
  test: {
    globalSetup: ["testing/setup.ts", ...(overHttp ? ["testing/server.ts"] : [])],
    // Much of the time is waiting for the database: on a machine with two cores, one worker would leave them idle.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: overHttp
      ? [{ resolve, test: { ...common, name: target, include: overHttpTests, exclude } }]
      : [
          {
            resolve,
            test: {
              ...common,
              name: "together",
              include: inSource,
              exclude: [...exclude, ...apart],
              isolate: false,
              env,
            },
          },
          { resolve, test: { ...common, name: "apart", include: apart, exclude } },
          ...(target === "later"
            ? [{ resolve, test: { ...common, name: "in process", include: inProcess, env } }]
            : []),
        ],
  },
});
