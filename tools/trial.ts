import { randomBytes } from "node:crypto";
import { parseArgs } from "node:util";
import { type Browser, chromium, type Page } from "playwright";
import { submitSignIn } from "@/e2e/kit";
import { soak, twoServers } from "@/e2e/soak";
import { KINDS, trialServer, tryWriting } from "@/e2e/trial";
import { createApiKey } from "@/lib/api-keys/api-keys";
import { everyScope } from "@/lib/api-keys/scopes";
import { closeConnections, inWorkspace } from "@/lib/db";
import { workspaceUrl } from "@/lib/http/host";
import { createMember } from "@/lib/members/members";
import { hashPassword } from "@/lib/members/passwords";
import { createWorkspace } from "@/lib/workspaces/workspaces";
import { openTestDatabase } from "@/testing/setup";
import { findBrowser } from "../bin/browser.mjs";
import { wholeNumber } from "../bin/whole-number";
import { tryMirroring } from "./trial/mirror";
import { tryTogether } from "./trial/writers";

// npm run trial: writes where something fails or others write. Exits with 0 if nothing was lost or stale, else with 1.

const usage = `npm run trial -- [typing] [--rounds 200] [--seed 1]  writes in a browser while tab, server and network fail (e2e/trial.ts)
npm run trial -- writers [--programs 18] [--minutes 10]  has programs and two people write one article
npm run trial -- mirror [--writes 10000]  follows random changes through GET /changes alone
npm run trial -- soak [--minutes 20] [--rate 300] [--writes 2]  writes on two servers and looks for old text on both (e2e/soak.ts)`;

const args = process.argv.slice(2);
if (args.includes("--help")) {
  console.log(usage);
  process.exit();
}
const {
  values,
  positionals: [kind = "typing"],
} = parseArgs({
  args,
  allowPositionals: true,
  options: {
    rounds: { type: "string" },
    seed: { type: "string" },
    programs: { type: "string" },
    minutes: { type: "string" },
    writes: { type: "string" },
    rate: { type: "string" },
  },
});

const number = (name: keyof typeof values, fallback: number) => wholeNumber(name, values[name], fallback, usage);
const tell = (line: string) => console.error(line);

const actor = { kind: "system", id: null, name: "Trial" } as const;

interface Place {
  browser: Browser;
  server: Awaited<ReturnType<typeof trialServer>>;
  workspace: { id: string; url: string; memberId: string };
  members: { email: string; password: string }[];
}

/** Each prints its outcome, and returns whether nothing was lost. */
const trials: Record<string, (closing: (() => Promise<void>)[]) => Promise<boolean>> = {
  async typing(closing) {
    const [rounds, seed] = [number("rounds", 200), number("seed", 1)];
    const { members, ...place } = await aPlace(closing, 1);
    const start = Date.now();
    const signIn = async (page: Page) => {
      await page.goto(`${place.workspace.url}/admin/sign-in`);
      await submitSignIn(page, members[0]!.email, members[0]!.password);
      await page.waitForURL(`${place.workspace.url}/admin`);
    };
    const outcome = await tryWriting({ ...place, signIn }, { rounds, seed, tell });
    const { typed, acknowledged, returned, offered, conflicts, lost, losses } = outcome;
    const each = KINDS.map((one) => `${outcome.rounds[one]} ${one}`).join(", ");
    for (const loss of losses) console.log(loss);
    console.log(`${rounds} rounds of seed ${seed} in ${Math.round((Date.now() - start) / 1_000)} s: ${each}.`);
    console.log(
      `${typed} characters typed, ${acknowledged} acknowledged when something ended; ${returned} texts restored automatically, ${offered} offered, ${conflicts} conflicts resolved.`,
    );
    console.log(`${lost} characters lost.`);
    return lost === 0;
  },
  async writers(closing) {
    const [programs, minutes] = [number("programs", 18), number("minutes", 10)];
    const outcome = await tryTogether(await aPlace(closing, 2), { programs, minutes, tell });
    const { accepted, refused, saved, conflicts, lost, strange } = outcome;
    for (const line of [...lost.map((word) => `Lost: ${word}`), ...strange]) console.log(line);
    console.log(
      `${programs} programs and 2 people in ${minutes} minutes: ${accepted} texts of programs accepted, ${refused} refused with the current revision. People saved ${saved} times and chose ${conflicts} times between two texts.`,
    );
    console.log(`${lost.length} accepted texts lost, ${strange.length} strange responses.`);
    return lost.length === 0 && strange.length === 0;
  },
  mirror: () => tryMirroring(number("writes", 10_000), tell),
  async soak(closing) {
    const [minutes, rate] = [number("minutes", 20), number("rate", 300)];
    const perSecond = number("writes", 2);
    const { servers, port, stop } = await twoServers();
    closing.push(stop);
    const administrator = { email: "ada@example.com", firstName: "Ada", lastName: "Lovelace" };
    const workspace = await createWorkspace({ name: "Trial", subdomain: "trial", administrator }, actor);
    const made = { name: "Trial", scopes: everyScope };
    const { text: key } = await inWorkspace(workspace.id, (db) => createApiKey(db, made, actor));
    const place = { servers, host: `${workspace.subdomain}.localhost:${port}`, key };
    const outcome = await soak(place, { seconds: minutes * 60, rate, writes: perSecond, tell });
    const { reads, writes, compared, failed, stale, p50, p99, memory } = outcome;
    for (const line of [...failed, ...stale].slice(0, 100)) console.log(line);
    console.log(`${reads} reads and ${writes} writes in ${minutes} minutes, ${compared} titles compared.`);
    console.log(`Response time: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms.`);
    const every = Math.max(1, Math.floor(memory.length / 10));
    const samples = memory.filter((_, index) => index % every === 0);
    for (const index of servers.keys())
      console.log(`Memory of server ${index + 1} in MB: ${samples.map((sample) => sample[index]).join(", ")}.`);
    console.log(`${failed.length} failed, ${stale.length} stale.`);
    return failed.length === 0 && stale.length === 0;
  },
};

async function aPlace(closing: (() => Promise<void>)[], memberCount: number): Promise<Place> {
  const server = await trialServer();
  closing.push(server.kill);
  // Otherwise it would end the process on a signal, before the others are closed.
  const signals = { handleSIGINT: false, handleSIGTERM: false };
  const browser = await chromium.launch({ ...(await findBrowser()), ...signals });
  closing.push(() => browser.close());
  const password = randomBytes(12).toString("hex");
  const passwordHash = await hashPassword(password);
  const administrator = { email: "ada@example.com", firstName: "Ada", lastName: "Lovelace", passwordHash };
  const workspace = await createWorkspace({ name: "Trial", subdomain: "trial", administrator }, actor);
  const members = [{ email: administrator.email, password }];
  for (let index = 1; index < memberCount; index++) {
    const email = `member-${index}@example.com`;
    const member = { email, firstName: "Member", lastName: String(index), role: "Admin", passwordHash };
    await inWorkspace(workspace.id, (db) => createMember(db, member, actor));
    members.push({ email, password });
  }
  const url = workspaceUrl(workspace.subdomain, server.baseUrl);
  return { browser, server, workspace: { id: workspace.id, url, memberId: workspace.administrator.id }, members };
}

async function main(): Promise<void> {
  const trial = trials[kind];
  if (!trial) throw new Error(usage);
  console.error("Starting a database …");
  // A trial sends more requests than a key may.
  process.env.RATE_LIMIT_KEY ??= "0";
  const closing: (() => Promise<void>)[] = [(await openTestDatabase()).close, closeConnections];
  let closed: Promise<void> | undefined;
  const interrupt = () => void closeAll().finally(() => process.exit(130));
  process.on("SIGINT", interrupt).on("SIGTERM", interrupt);
  try {
    if (!(await trial(closing))) process.exitCode = 1;
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
