// Shared by the programs of this folder. They run before anything is installed, even in a Node too old for Lectern: no
// packages, and only ES2019 syntax.
import { spawn } from "child_process";
import { closeSync, openSync, readFileSync } from "fs";
import { dirname } from "path";
import { fileURLToPath } from "url";

/** The folder of Lectern. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** A message for a person: what happened, why, and what to do. */
export class Failure extends Error {}

/** Runs a program's main function. Prints its Failure as it is, and exits with 1. */
export async function main(work) {
  try {
    await work();
  } catch (error) {
    console.error(`\n${error instanceof Failure ? error.message : error.stack}`);
    process.exitCode = 1;
  }
}

/**
 * Reports a step, every ten seconds while it runs, and how long it took. Writes to standard error, because the
 * program may print its own answer to standard output.
 */
export async function step(label, work) {
  const start = Date.now();
  const elapsed = () => `${((Date.now() - start) / 1000).toFixed(1)} s`;
  console.error(`${label} …`);
  const timer = setInterval(() => console.error(`${label} … ${elapsed()}`), 10000);
  try {
    const result = await work();
    console.error(`${label}: done in ${elapsed()}`);
    return result;
  } finally {
    clearInterval(timer);
  }
}

const running = new Set();

/**
 * Runs a program in the folder of Lectern until it ends.
 *
 * @param options.log a file for its output. Without one the output is shown
 * @param options.failure the sentence for a failure. The last output is added
 */
export async function run(command, args, options) {
  const output = options.log ? openSync(options.log, "w") : "inherit";
  const child = spawn(command, args, {
    cwd: root,
    env: Object.assign({}, process.env, options.env),
    stdio: ["ignore", output, output],
  });
  running.add(child);
  const code = await new Promise((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("exit", (status, signal) => resolve(status === null ? signal : status));
  });
  running.delete(child);
  if (options.log) closeSync(output);
  if (code === 0) return;
  const said = options.log ? tail(options.log) : "";
  throw new Failure(`${said}${options.failure}${typeof code === "number" ? "" : ` (${command}: ${code})`}`);
}

/** The command that is npm, and its arguments: the npm that runs us, if one does. */
export function npm(args) {
  const cli = process.env.npm_execpath;
  return cli && cli.endsWith("npm-cli.js") ? [process.execPath, [cli].concat(args)] : ["npm", args];
}

/** Ends the program that `run` started. */
export function stopRunning() {
  for (const child of running) child.kill("SIGTERM");
}

/** The last lines of a file, ready to be printed above a message. */
export function tail(file, lines = 30) {
  const text = readFileSync(file, "utf8").trimEnd();
  return text === "" ? "" : `${text.split("\n").slice(-lines).join("\n")}\n\n`;
}

/** Whether a process of this number exists. */
export function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}
