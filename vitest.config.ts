import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { alias: { "@": fileURLToPath(new URL(".", import.meta.url)).replace(/\/$/, "") } },
  test: {
    include: ["{app,components,lib,bin,prisma}/**/*.test.{ts,tsx}", "*.test.ts"],
    globalSetup: "lib/testing.setup.ts",
    // Vite has a BASE_URL of its own, which is a path.
    env: { BASE_URL: "http://localhost:3000" },
    testTimeout: 20_000,
    hookTimeout: 30_000,
  },
});
