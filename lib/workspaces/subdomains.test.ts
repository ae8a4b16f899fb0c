import { expect, test } from "vitest";
import { acrossWorkspaces } from "@/lib/db";
import { scheduleDeletion, takeBackDeletion } from "@/lib/workspaces/deletion";
import { addressNow } from "@/lib/workspaces/former-subdomains";
import { changeSubdomain, checkSubdomain } from "@/lib/workspaces/subdomains";
import { createWorkspace } from "@/lib/workspaces/workspaces";
import { aWorkspace, type TestWorkspace } from "@/testing/workspace";

const change = (workspace: TestWorkspace, subdomain: string) =>
  changeSubdomain(workspace.id, subdomain, workspace.actor);
const make = (subdomain: string) =>
  createWorkspace(
    { name: "Another", subdomain, administrator: { email: "ada@example.com", firstName: "Ada", lastName: "Admin" } },
    { kind: "system", id: null, name: "test" },
  );
const subdomainOf = async ({ id }: TestWorkspace) =>
  (await acrossWorkspaces.query<{ subdomain: string }>("SELECT subdomain FROM workspaces WHERE id = $1", [id]))[0]
    ?.subdomain;
const formerOf = async ({ id }: TestWorkspace) =>
  (
    await acrossWorkspaces.query<{ subdomain: string }>(
      "SELECT subdomain FROM former_subdomains WHERE workspace_id = $1 ORDER BY created_at",
      [id],
    )
  ).map(({ subdomain }) => subdomain);
const refusal = (field: string, code: string) => ({ fields: [expect.objectContaining({ field, code })] });

test("a new subdomain applies immediately, and the former one is kept and can be used again", async () => {
  const workspace = await aWorkspace();
  const { subdomain: first } = workspace;
  expect(await change(workspace, ` ${first.toUpperCase()}-New `)).toBe(`${first}-new`);
  expect([await subdomainOf(workspace), await formerOf(workspace)]).toEqual([`${first}-new`, [first]]);
  await change(workspace, first);
  expect([await subdomainOf(workspace), await formerOf(workspace)]).toEqual([first, [`${first}-new`]]);
  // The subdomain it has changes nothing.
  await change(workspace, first);
  expect(await formerOf(workspace)).toEqual([`${first}-new`]);
  const log = await acrossWorkspaces.query<{ details: unknown }>(
    "SELECT details FROM audit_entries WHERE workspace_id = $1 AND action = 'workspace.updated' ORDER BY created_at",
    [workspace.id],
  );
  expect(log.map(({ details }) => details)).toEqual([
    { subdomain: `${first} → ${first}-new` },
    { subdomain: `${first}-new → ${first}` },
  ]);
});

test("a former subdomain leads to where the workspace is, also while that waits to be deleted, and nowhere afterward", async () => {
  const workspace = await aWorkspace();
  const { id, subdomain, name, actor } = workspace;
  expect(await addressNow(subdomain)).toBeNull();
  await change(workspace, `${subdomain}-new`);
  const now = expect.stringContaining(`//${subdomain}-new.`);
  expect(await addressNow(subdomain)).toEqual(now);
  await scheduleDeletion(id, name, actor);
  expect([await addressNow(subdomain), await addressNow(`${subdomain}-new`)]).toEqual([now, null]);
  await takeBackDeletion(id, actor);
  expect(await addressNow(subdomain)).toEqual(now);
  await acrossWorkspaces.query("UPDATE workspaces SET delete_after = now() - interval '1 second' WHERE id = $1", [id]);
  expect(await addressNow(subdomain)).toBeNull();
});

test("a subdomain that another workspace has or once had is taken, for a new workspace too", async () => {
  const [one, two] = [await aWorkspace(), await aWorkspace()];
  const { subdomain: former } = one;
  await change(one, `${former}-new`);
  for (const taken of [former, `${former}-new`]) {
    await expect(change(two, taken)).rejects.toMatchObject(refusal("subdomain", "taken"));
    await expect(make(taken)).rejects.toMatchObject(refusal("subdomain", "taken"));
    expect((await checkSubdomain(taken)).invalid).toEqual([
      { field: "subdomain", code: "taken", message: `The subdomain ${taken} is taken. Choose another one.` },
    ]);
  }
  expect((await checkSubdomain(former, one.id)).invalid).toEqual([]);
  expect((await checkSubdomain(`${former}-free`)).invalid).toEqual([]);
});

test.each([
  ["www", "not_allowed"],
  ["-a", "invalid"],
  ["a.b", "invalid"],
  ["", "required"],
  ["x".repeat(64), "invalid"],
])("the subdomain %j is refused", async (subdomain, code) => {
  const workspace = await aWorkspace();
  await expect(change(workspace, subdomain)).rejects.toMatchObject(refusal("subdomain", code));
  expect(await subdomainOf(workspace)).toBe(workspace.subdomain);
});

test("of several who want the same subdomain at the same time one has it, and the others are told that it is taken", async () => {
  const workspaces = await Promise.all(Array.from({ length: 4 }, () => aWorkspace()));
  const wanted = `${workspaces[0]?.subdomain}-wanted`;
  const tries = [...workspaces.map((workspace) => change(workspace, wanted)), make(wanted), make(wanted)];
  const ended = await Promise.allSettled<unknown>(tries);
  const refused = ended.filter((end) => end.status === "rejected");
  expect(refused.map(({ reason }) => reason)).toEqual(
    Array.from({ length: 5 }, () => expect.objectContaining(refusal("subdomain", "taken"))),
  );
});

test("a subdomain that is being changed can't be taken by another workspace in between", async () => {
  const workspace = await aWorkspace();
  const { id, subdomain } = workspace;
  // The first check still finds the old state: only the database can tell.
  const started = await acrossWorkspaces.transaction(async (db) => {
    await db.$executeRaw`UPDATE workspaces SET subdomain = ${`${subdomain}-new`} WHERE id = ${id}::uuid`;
    const work = acrossWorkspaces.query("INSERT INTO workspaces (name, subdomain) VALUES ('Thief', $1)", [subdomain]);
    work.catch(() => {});
    const waiting = () => db.$queryRaw<object[]>`
      SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))`;
    while ((await waiting()).length === 0);
    return { work };
  });
  await expect(started.work).rejects.toMatchObject({ code: "23505", constraint: "former_subdomains_pkey" });
  expect(await formerOf(workspace)).toEqual([subdomain]);
});

test("after twenty other subdomains a workspace may only have one of those again", async () => {
  const workspace = await aWorkspace();
  const { subdomain } = workspace;
  for (let number = 1; number <= 20; number++) await change(workspace, `${subdomain}-${number}`);
  await expect(change(workspace, `${subdomain}-21`)).rejects.toMatchObject(refusal("subdomain", "not_allowed"));
  expect(await change(workspace, subdomain)).toBe(subdomain);
});
