import { expect, test } from "vitest";
import { acrossWorkspaces, inWorkspace } from "@/lib/db";
import { NO_WORKSPACE, openEnvelope } from "@/lib/jobs";
import type { Mail } from "@/lib/mail/mail";
import { createMember, updateMember } from "@/lib/members/members";
import { scheduleDeletion } from "@/lib/workspaces/deletion";
import { mailWorkspacesOf, workspacesOf } from "@/lib/workspaces/whereabouts";
import { jobHandlers } from "@/server/jobs/handlers";
import { aWorkspace, type TestWorkspace } from "@/testing/workspace";

const join = (workspace: TestWorkspace, email: string) =>
  inWorkspace(workspace.id, (db) =>
    createMember(db, { email, firstName: "Grace", lastName: "Hopper", role: "Editor" }, workspace.actor),
  );

/** The mails of the jobs that wait for an email. */
async function mailedTo(address: string): Promise<Mail[]> {
  const mails: Mail[] = [];
  const { workspaces_of_address: mail } = jobHandlers({
    deliver: async (one) => void mails.push(one),
    baseUrl: "https://example.com",
  });
  const jobs = await acrossWorkspaces.query<{ payload: unknown }>(
    "SELECT payload FROM graphile_worker._private_jobs WHERE payload->'payload'->>'address' = $1",
    [address],
  );
  const { signal } = new AbortController();
  for (const { payload } of jobs) await mail({ id: "1", ...openEnvelope("workspaces_of_address", payload), signal });
  return mails;
}

test("the workspaces of an address are those where it is an active member's, in whatever case", async () => {
  const [one, two, left, closed] = [
    await aWorkspace({ name: "Beta" }),
    await aWorkspace({ name: "Alpha" }),
    await aWorkspace(),
    await aWorkspace(),
  ];
  const email = `Grace@${one.subdomain}.example`;
  for (const workspace of [one, two, left, closed]) {
    const { id } = await join(workspace, email);
    if (workspace === left) {
      await inWorkspace(left.id, (db) => updateMember(db, id, { active: false }, left.actor));
    }
  }
  await scheduleDeletion(closed.id, closed.name, closed.actor);
  expect(await workspacesOf(email.toUpperCase())).toEqual([
    { name: "Alpha", subdomain: two.subdomain },
    { name: "Beta", subdomain: one.subdomain },
  ]);
});

test("who is a member gets one mail with the addresses to sign in at", async () => {
  const workspace = await aWorkspace({ name: "Harbour Coffee" });
  const email = workspace.admin.email;
  await mailWorkspacesOf(email);
  const mails = await mailedTo(email);
  expect(mails).toHaveLength(1);
  expect(mails[0]?.to.address).toBe(email);
  expect(mails[0]?.paragraphs).toContain(`Harbour Coffee: https://${workspace.subdomain}.example.com/admin`);
});

test("for an address that nobody has the same job waits, of no workspace, and no mail is sent", async () => {
  const { subdomain, admin } = await aWorkspace();
  const stranger = `nobody@${subdomain}.example`;
  for (const address of [admin.email, stranger]) await mailWorkspacesOf(address);
  const jobs = await acrossWorkspaces.query<{ payload: unknown }>(
    "SELECT payload FROM graphile_worker._private_jobs WHERE payload->'payload'->>'address' = ANY($1) ORDER BY id",
    [[admin.email, stranger]],
  );
  const job = (address: string) => ({ payload: { workspace_id: NO_WORKSPACE, payload: { address } } });
  expect(jobs).toEqual([job(admin.email), job(stranger)]);
  expect(await mailedTo(stranger)).toEqual([]);
});
