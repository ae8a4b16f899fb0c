import { spawn } from "node:child_process";
import { migrate } from "@/server/migrate";
import { openDatabase } from "@/server/postgres";
import { aServerLogin, letServersIn } from "@/testing/logins";

// Starts the built server for the browser tests, with a login that does not own the tables (docs/operate.md, "Two database logins"):
// the tests then also find what such a login lacks.

const database = await openDatabase({ databaseUrl: process.env.DATABASE_URL, dataDir: String(process.env.DATA_DIR) });
await letServersIn(database.url);
await migrate(database.url);
const { url } = await aServerLogin(database.url);

const server = spawn(process.execPath, ["dist/server.js"], {
  env: { ...process.env, DATABASE_URL: url, DATABASE_DIRECT_URL: "" },
  stdio: "inherit",
});
for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => server.kill(signal));
server.once("exit", (code) => {
  void database.release().then(() => process.exit(code ?? 1));
});
