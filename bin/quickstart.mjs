// npm run quickstart: starts a knowledge base from a fresh clone or an earlier run. See steps.mjs on syntax.
import { accessSync, constants, existsSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from "fs";
import { createServer } from "net";
import { join, resolve } from "path";
import { buildWhenChanged } from "./build.mjs";
import { seed, serve } from "./serve.mjs";
import { checkNode, prepare } from "./setup.mjs";
import { Failure, isAlive, main, root, step, stopRunning } from "./steps.mjs";

const port = process.env.PORT || "3000";
const dataDir = resolve(root, process.env.DATA_DIR || ".data");
const runningFile = join(dataDir, "running.json");

main(async () => {
  const start = Date.now();
  checkNode();
  checkDataDir();
  await checkPort();

  let stopping = false;
  let server;
  const stop = async () => {
    // npm passes Ctrl+C on although the terminal already did.
    if (stopping) return;
    stopping = true;
    console.log("\nStopping …");
    stopRunning();
    if (!server) process.exit(130);
    await server.stop();
    console.log("Stopped. Your data is kept. Run npm run quickstart to continue.");
  };
  process.on("SIGINT", stop).on("SIGTERM", stop).on("SIGHUP", stop);
  // Writing to a closed terminal fails, and that must not prevent an orderly stop.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

  await prepare();
  await buildWhenChanged();
  server = await step("Starting the server", () => serve({ port, dataDir }));
  try {
    writeFileSync(runningFile, JSON.stringify({ pid: process.pid, server: server.pid, port }));
    announce(await step("Preparing the workspaces", () => seed({ port, dataDir })), Date.now() - start);
    await server.ended;
    if (!stopping) throw new Failure(`The server stopped unexpectedly. See its log, ${server.log}.`);
  } catch (error) {
    if (stopping) return;
    await server.stop();
    throw error;
  } finally {
    if (existsSync(runningFile)) unlinkSync(runningFile);
  }
});

function announce(all, ms) {
  const base = new URL(process.env.BASE_URL || `http://localhost:${port}`);
  const address = (workspace) => `${base.protocol}//${workspace}.${base.host}`;
  const [first, second] = all;
  console.log(`
Lectern is ready after ${(ms / 1000).toFixed(1)} s.

  Knowledge base   ${address(first.workspace)}
  Admin            ${address(first.workspace)}/admin
    email          ${first.adminEmail}
    password       ${first.adminPassword}
  API key          ${first.apiKey}
    try it         curl -H "X-Api-Key: ${first.apiKey}" ${address(first.workspace)}/api/external/v2/articles

  A second workspace is at ${address(second.workspace)}, and the bare domain at ${base.origin}.
  The data is in ${dataDir}, the log in ${join(dataDir, "server.log")}.

Ctrl+C stops everything.`);
}

function checkDataDir() {
  try {
    mkdirSync(dataDir, { recursive: true });
    accessSync(dataDir, constants.W_OK);
  } catch (error) {
    throw new Failure(
      `Lectern keeps its data in ${dataDir}, but this user can't write there (${error.code}). Choose another folder with DATA_DIR=/some/folder npm run quickstart.`,
    );
  }
}

async function checkPort() {
  if (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65535) {
    throw new Failure(`PORT is "${port}". Set a number from 1 to 65535, as in PORT=3001 npm run quickstart.`);
  }
  const other = runningHere();
  // The process id alone may be reused, but not together with its port.
  if (other && (await listen(undefined, other.port)) === "EADDRINUSE") {
    throw new Failure(
      `Lectern is already running with this data on port ${other.port} (process ${other.pid}). Use it, or stop it first with Ctrl+C in its terminal.`,
    );
  }
  for (const host of [undefined, "127.0.0.1"]) {
    const problem = await listen(host, port);
    if (!problem) continue;
    if (problem !== "EADDRINUSE") {
      throw new Failure(
        `This user can't listen on port ${port} (${problem}). Choose another port with PORT=3001 npm run quickstart.`,
      );
    }
    throw new Failure(
      `Another program is using port ${port}. Choose another port with PORT=${Number(port) === 65535 ? 3001 : Number(port) + 1} npm run quickstart.`,
    );
  }
}

/** The error code, if we cannot listen there. */
function listen(host, port) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error) => resolve(error.code === "EAFNOSUPPORT" ? undefined : error.code));
    server.listen({ port: Number(port), host }, () => server.close(() => resolve(undefined)));
  });
}

function runningHere() {
  try {
    const other = JSON.parse(readFileSync(runningFile, "utf8"));
    return isAlive(other.pid) ? other : undefined;
  } catch (error) {
    return undefined;
  }
}
