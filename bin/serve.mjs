// Runs the built server for another program: quickstart, and the browser tests.
import { spawn } from "child_process";
import { closeSync, existsSync, fchmodSync, mkdirSync, openSync, readFileSync } from "fs";
import { get } from "http";
import { join } from "path";
import { Failure, root, run, tail } from "./steps.mjs";

const READY_MS = 90000;
/** The server itself gives up after 9.5 seconds. */
const STOP_MS = 9700;

/**
 * Starts the built server and returns once it answers.
 *
 * @param options.env its settings; NODE_ENV is production, and secrets may be generated (QUICKSTART)
 * @returns its process and log, `stop`, which takes at most ten seconds, and `ended`, which resolves when it ends
 */
export async function serve({ port, dataDir, env }) {
  mkdirSync(dataDir, { recursive: true });
  const log = join(dataDir, "server.log");
  const output = openSync(log, "w", 0o600);
  // An existing file keeps its mode.
  fchmodSync(output, 0o600);
  const child = spawn(process.execPath, ["--v8-pool-size=1", "--import", "./bin/leash.mjs", "dist/server.js"], {
    cwd: root,
    env: environment({ port, dataDir, env }),
    // Detached from the terminal, because the program that started it handles Ctrl+C.
    detached: true,
    stdio: ["ignore", output, output, "ipc"],
  });
  closeSync(output);
  let code;
  const ended = new Promise((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("exit", (status, signal) => resolve(status === null ? signal : status));
  }).then((result) => {
    code = result;
  });
  const stop = () => stopServer(child, ended, dataDir);
  const deadline = Date.now() + READY_MS;
  while (!(await isReady(port))) {
    if (code !== undefined) throw new Failure(`${tail(log)}The server ended with ${code}. See its log, ${log}.`);
    if (Date.now() > deadline) {
      await stop();
      throw new Failure(
        `${tail(log)}The server didn't respond within ${READY_MS / 1000} seconds. See its log, ${log}.`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return { pid: child.pid, stop, ended, log };
}

/** Creates the two workspaces if they are missing, and prints how to sign in to each. */
export async function seed(options) {
  const log = join(options.dataDir, "seed.log");
  await run(process.execPath, ["--enable-source-maps", "dist/seed.js"], {
    log,
    env: environment(options),
    failure: `The workspaces could not be created. See the log, ${log}.`,
  });
  return JSON.parse(readFileSync(join(options.dataDir, "quickstart.json"), "utf8")).all;
}

function environment({ port, dataDir, env }) {
  const ours = { NODE_ENV: "production", QUICKSTART: "1", PORT: String(port), DATA_DIR: dataDir };
  // Passwords and keys are printed, so only this machine can reach the server unless HOST is set.
  ours.HOST = process.env.HOST || "127.0.0.1";
  return Object.assign({}, process.env, ours, env);
}

function isReady(port) {
  return new Promise((resolve) => {
    const request = get({ host: "127.0.0.1", port, path: "/readyz", timeout: 2000 }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.once("timeout", () => request.destroy());
    request.once("error", () => resolve(false));
  });
}

async function stopServer(child, ended, dataDir) {
  child.kill("SIGTERM");
  await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, STOP_MS).unref())]);
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGKILL");
  // The server would have stopped PostgreSQL last.
  const pidFile = join(dataDir, "postgres/postmaster.pid");
  if (existsSync(pidFile)) process.kill(Number.parseInt(readFileSync(pidFile, "utf8"), 10), "SIGINT");
}
