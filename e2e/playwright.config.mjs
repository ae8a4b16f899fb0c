import { mkdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "playwright/test";
import { findBrowser } from "../bin/browser.mjs";

// The runner reads this file, and then each worker. Workers find the runner's decisions in the environment.
const runner = process.env.TEST_WORKER_INDEX === undefined;
const own = process.env.E2E_BASE_URL === undefined || process.env.E2E_DATA_DIR !== undefined;
if (runner && own) {
  process.env.E2E_BASE_URL = `http://localhost:${await freePort()}`;
  const folder = join(tmpdir(), `lectern-e2e-${process.pid}`);
  process.env.E2E_DATA_DIR = folder;
  mkdirSync(folder, { mode: 0o755 });
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
}
const baseUrl = process.env.E2E_BASE_URL;
// Tests create preview links and sessions as the server does.
process.env.AUTH_SECRET ??= "Kq2vXw7mZr4tBn9sLd6hFj3pGc8yTa5e";

/**
 * Tests the built server: `npx playwright test -c e2e`. Starts its own server with an empty database, or uses a
 * running one from E2E_BASE_URL, with its DATABASE_URL and AUTH_SECRET.
 */
export default defineConfig({
  testDir: ".",
  outputDir: "../test-results",
  fullyParallel: true,
  workers: 2,
  forbidOnly: true,
  // On a machine that slows down for seconds, a click can come before a page is ready for it. What passes only the second time
  // is listed as flaky: a defect to find, like a failure, but it does not hold up everything else.
  retries: 1,
  expect: { timeout: 10_000 },
  reporter: "list",
  use: {
    // So that a failing test names the missing element instead of timing out.
    actionTimeout: 20_000,
    launchOptions: await findBrowser(),
  },
  webServer: own
    ? {
        command: "node --import tsx e2e/server.ts",
        cwd: join(import.meta.dirname, ".."),
        url: `${baseUrl}/healthz`,
        env: {
          NODE_ENV: "production",
          PORT: new URL(baseUrl).port,
          HOST: "127.0.0.1",
          BASE_URL: baseUrl,
          WORKSPACE_CREATION: "on",
          // One test requests every page of a workspace within a minute.
          RATE_LIMIT_PAGES: "0",
          SECURITY_CONTACT: "security@example.com",
          DATA_DIR: process.env.E2E_DATA_DIR,
          AUTH_SECRET: process.env.AUTH_SECRET,
        },
        // The server, then its database.
        gracefulShutdown: { signal: "SIGTERM", timeout: 20_000 },
      }
    : undefined,
});

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
