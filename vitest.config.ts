import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig } from "vitest/config";

/** "front door" or "next": the contract's tests once more, over HTTP through that (testing/server.ts). */
const target = process.env.CONTRACT_TARGET;
const overHttp = target !== undefined;
/** What does not depend on how a request arrives, such as the order of results. */
const elsewhere = [
  "app/api/external/v2/search/{fuzz,languages,laws,many,weights}.test.ts",
  // Next answers in development only. The front door is asked everything.
  ...(target === "next"
    ? [
        "app/api/external/{canary,fresh,idempotency,isolation,kept,scopes,searches,unavailable,writes}.test.ts",
        "app/api/external/v2/{articles/{drafts,lifecycle,writes},changes/changes}.test.ts",
      ]
    : []),
];

export default defineConfig({
  resolve: { alias: { "@": fileURLToPath(new URL(".", import.meta.url)).replace(/\/$/, "") } },
  test: {
    include: overHttp
      ? ["app/api/external/**/*.test.ts", "packages/client/src/client.test.ts"]
      : ["{app,components,lib,server,testing,bin,tools,packages,prisma}/**/*.test.{ts,tsx}", "*.test.ts"],
    exclude: [...configDefaults.exclude, ...(overHttp ? elsewhere : [])],
    globalSetup: ["testing/setup.ts", ...(overHttp ? ["testing/server.ts"] : [])],
    // Vite has a BASE_URL of its own, which is a path.
    env: { BASE_URL: "http://localhost:3000" },
    // Next compiles a route when it is first asked for.
    expect: { poll: { timeout: 10_000 } },
    // Much of the time is waiting for the database: on a machine with two cores, one worker would leave them idle.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    testTimeout: overHttp ? 60_000 : 20_000,
    hookTimeout: overHttp ? 60_000 : 30_000,
  },
});
