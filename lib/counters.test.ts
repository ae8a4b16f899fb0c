import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { checkLimit, takeLimit } from "@/lib/counters";
import { acrossWorkspaces } from "@/lib/db";

const email = "grace@example.com";

test("an email gets a limited number of mails, whatever its case and wherever they are requested", async () => {
  const workspaceId = randomUUID();
  const send = (to = email, workspace = workspaceId, name: "linkMail" | "memberMail" = "memberMail") =>
    takeLimit(name, { workspace, email: to, network: `10.1.${Math.trunc(Math.random() * 256)}.7` });
  const check = () => checkLimit("memberMail", { workspace: workspaceId, email, network: "10.2.0.1" });
  for (let count = 0; count < 4; count++) {
    expect(await check()).toBeNull();
    expect(await send()).toBeNull();
  }
  const waits = [await check(), await send("GRACE@example.com")];
  for (const wait of waits) {
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(15 * 60);
  }
  expect([await send("bob@example.com"), await send(email, randomUUID())]).toEqual([null, null]);
  // Strangers' requests count separately.
  expect(await send(email, workspaceId, "linkMail")).toBeNull();
});

test("a network and a workspace get a limited number of mails", async () => {
  const [near, wide] = [randomUUID(), randomUUID()];
  const from = (workspace: string, network: string, number: number) =>
    takeLimit("memberMail", { workspace, email: `p${number}@example.com`, network });
  for (let number = 0; number < 60; number++) expect(await from(near, "192.0.2.1", number)).toBeNull();
  expect(await from(near, "192.0.2.1", 60)).toBeGreaterThan(0);
  expect(await from(near, "192.0.2.2", 60)).toBeNull();

  for (let number = 0; number < 200; number++) expect(await from(wide, `192.0.2.${number}`, number)).toBeNull();
  expect(await from(wide, "192.0.2.201", 201)).toBeGreaterThan(60 * 60);
});

test("a member may save 120 times a minute, and then learns how long to wait", async () => {
  const workspace = randomUUID();
  const ada = { workspace, member: randomUUID() };
  const waits = await Promise.all(Array.from({ length: 120 }, () => takeLimit("save", ada)));
  expect(waits.filter((wait) => wait !== null)).toEqual([]);
  const wait = await takeLimit("save", ada);
  expect(wait).toBeGreaterThan(0);
  expect(wait).toBeLessThanOrEqual(60);
  expect(await takeLimit("save", { workspace, member: randomUUID() })).toBeNull();
});

test("a limit ends on the database's clock, however this machine's clock jumps", async ({ onTestFinished }) => {
  const { now } = Date;
  onTestFinished(() => void (Date.now = now));
  const ada = { workspace: randomUUID(), member: randomUUID() };
  Date.now = () => now() + 3_600_000;
  expect(await takeLimit("save", ada)).toBeNull();
  Date.now = now;
  expect(await takeLimit("save", ada, 119)).toBeNull();
  for (const wait of [await checkLimit("save", ada), await takeLimit("save", ada)]) {
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(60);
  }
});

test("a count from before the clock was set back doesn't block anyone", async () => {
  const ada = { workspace: randomUUID(), member: randomUUID() };
  await acrossWorkspaces.query(
    "INSERT INTO rate_limits (key, points, expire) VALUES ($1, 1000, extract(epoch FROM now() + interval '30 days') * 1000)",
    [`save per workspace, member:${ada.workspace} ${ada.member}`],
  );
  expect(await checkLimit("save", ada)).toBeNull();
  expect(await takeLimit("save", ada, 119)).toBeNull();
  expect(await takeLimit("save", ada)).toBeNull();
  expect(await takeLimit("save", ada)).toBeGreaterThan(0);
});
