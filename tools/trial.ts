import { randomBytes } from "node:crypto";
import { parseArgs } from "node:util";
import { chromium } from "playwright";
import { submitSignIn } from "@/e2e/kit";
import { KINDS, trialServer, tryWriting } from "@/e2e/trial";
import { closeConnections } from "@/lib/db";
import { workspaceUrl } from "@/lib/http/host";
import { hashPassword } from "@/lib/members/passwords";
import { createWorkspace } from "@/lib/workspaces/workspaces";
import { openTestDatabase } from "@/testing/setup";
import { findBrowser } from "../bin/browser.mjs";
import { wholeNumber } from "../bin/whole-number";

// npm run trial: writes in a real browser while tab, server and network fail (e2e/trial.ts). Exits with 0 if nothing
// was lost, else with 1.

const usage = "npm run trial -- [--rounds 200] [--seed 1]";

const args = process.argv.slice(2);
if (args.includes("--help")) {
  console.log(usage);
  process.exit();
}
const { values } = parseArgs({ args: args, options: { rounds: { type: "string" }, seed: { type: "string" } } });

async function main(): Promise<void> {
  const [rounds, seed] = [wholeNumber("rounds", values.rounds, 200, usage), wholeNumber("seed", values.seed, 1, usage)];
  console.error("Starting a database, a server and a browser …");
  const closing: (() => Promise<void>)[] = [(await openTestDatabase()).close, closeConnections];
  let closed: Promise<void> | undefined;
  const interrupt = () => void closeAll().finally(() => process.exit(130));
  process.on("SIGINT", interrupt).on("SIGTERM", interrupt);
  try {
    const server = await trialServer();
    closing.push(server.kill);
    // Otherwise it would end the process on a signal, before the others are closed.
    const signals = { handleSIGINT: false, handleSIGTERM: false };
    const browser = await chromium.launch({ ...(await findBrowser()), ...signals });
    closing.push(() => browser.close());
    const [email, password] = ["ada@example.com", randomBytes(12).toString("hex")];
    const administrator = { email, firstName: "Ada", lastName: "Lovelace", passwordHash: await hashPassword(password) };
    const {
      id,
      subdomain,
      administrator: member,
    } = await createWorkspace(
      { name: "Trial", subdomain: "trial", administrator },
      { kind: "system", id: null, name: "Trial" },
    );
    const url = workspaceUrl(subdomain, server.baseUrl);
    const start = Date.now();
    const outcome = await tryWriting(
      {
        ...{ browser, server, workspace: { id, url, memberId: member.id } },
        async signIn(page) {
          await page.goto(`${url}/admin/sign-in`);
          await submitSignIn(page, email, password);
          await page.waitForURL(`${url}/admin`);
        },
      },
      { rounds, seed, tell: (line) => console.error(line) },
    );
    const { typed, acknowledged, returned, offered, conflicts, lost, losses } = outcome;
    const each = KINDS.map((kind) => `${outcome.rounds[kind]} ${kind}`).join(", ");
    for (const loss of losses) console.log(loss);
    console.log(`${rounds} rounds of seed ${seed} in ${Math.round((Date.now() - start) / 1_000)} s: ${each}.`);
    console.log(
      `${typed} characters typed, ${acknowledged} acknowledged when something ended; ${returned} texts restored automatically, ${offered} offered, ${conflicts} conflicts resolved.`,
    );
    console.log(`${lost} characters lost.`);
    if (lost > 0) process.exitCode = 1;
  } finally {
    await closeAll();
  }

  /** Closes whatever is open, once. Every caller waits for it. */
  function closeAll(): Promise<void> {
    closed ??= (async () => {
      for (const close of closing.reverse()) await close();
    })();
    return closed;
  }
}

main().then(
  () => process.exit(),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
