import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { countMail } from "@/lib/mail/limits";

const email = "grace@example.com";

test("so many mails go to one address, whatever its case and wherever they are asked for", async () => {
  const workspaceId = randomUUID();
  const sent = (of = email, workspace = workspaceId, kind: "link" | "managed" = "managed") =>
    countMail(kind, { workspaceId: workspace, email: of, client: `10.1.${Math.trunc(Math.random() * 256)}.7` });
  for (let count = 0; count < 4; count++) expect(await sent()).toBeNull();
  const pause = await sent("GRACE@example.com");
  expect(pause).toBeGreaterThan(0);
  expect(pause).toBeLessThanOrEqual(15 * 60);
  expect([await sent("bob@example.com"), await sent(email, randomUUID())]).toEqual([null, null]);
  // What strangers ask for is counted apart.
  expect(await sent(email, workspaceId, "link")).toBeNull();
});

test("so many are asked for from one network, and by a workspace in a day", async () => {
  const [near, wide] = [randomUUID(), randomUUID()];
  const from = (workspaceId: string, client: string, number: number) =>
    countMail("managed", { workspaceId, email: `p${number}@example.com`, client });
  for (let number = 0; number < 60; number++) expect(await from(near, "192.0.2.1", number)).toBeNull();
  expect(await from(near, "192.0.2.1", 60)).toBeGreaterThan(0);
  expect(await from(near, "192.0.2.2", 60)).toBeNull();

  for (let number = 0; number < 200; number++) expect(await from(wide, `192.0.2.${number}`, number)).toBeNull();
  expect(await from(wide, "192.0.2.201", 201)).toBeGreaterThan(60 * 60);
});
