import { randomUUID } from "node:crypto";
import type { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aDatabase, type TestDatabase, testServers } from "@/testing/workspace";

// Contract 48, which the database enforces.

describe.each(testServers)("on %s", (_, server) => {
  let made: TestDatabase;
  let one: Client;
  let other: Client;
  const workspace = randomUUID();

  beforeAll(async () => {
    made = await aDatabase(server);
    [one, other] = [await made.connect(), await made.connect()];
    await one.query("INSERT INTO workspaces (id, subdomain, name) VALUES ($1, 'trees', 'Trees')", [workspace]);
    for (const client of [one, other]) await client.query(`SET app.workspace_id = '${workspace}'`);
  });

  afterAll(async () => {
    await made.drop();
  });

  const add = async (parent: string | null) => {
    const id = randomUUID();
    await one.query("INSERT INTO categories (id, name, slug, parent_id) VALUES ($1, $2, $2, $3)", [id, id, parent]);
    return id;
  };
  const move = (client: Client, id: string, parent: string | null) =>
    client.query("UPDATE categories SET parent_id = $2 WHERE id = $1", [id, parent]);

  /** A chain of categories, the root first. */
  async function branch(levels: number): Promise<string[]> {
    const ids: string[] = [];
    for (let level = 0; level < levels; level++) ids.push(await add(ids.at(-1) ?? null));
    return ids;
  }

  test("a seventh level is refused, whether it is made there or moved there with what is below it", async () => {
    const six = await branch(6);
    const seventh = { constraint: "categories_six_levels" };
    await expect(add(six[5] as string)).rejects.toMatchObject(seventh);
    const two = await branch(2);
    await expect(move(one, two[0] as string, six[4] as string)).rejects.toMatchObject(seventh);
    await move(one, two[0] as string, six[3] as string);
  });

  test("a category cannot move below itself, near or far", async () => {
    const ids = await branch(3);
    const itself = { constraint: "categories_not_below_itself" };
    await expect(move(one, ids[0] as string, ids[1] as string)).rejects.toMatchObject(itself);
    await expect(move(one, ids[0] as string, ids[2] as string)).rejects.toMatchObject(itself);
    await move(one, ids[2] as string, ids[0] as string);
  });

  test("of two moves that cross, one is refused", async () => {
    const [a, b] = [await add(null), await add(null)];
    await one.query("BEGIN");
    await move(one, a, b);
    const crossing = move(other, b, a).then(
      () => "moved",
      (error: { constraint?: string }) => error.constraint,
    );
    const waits =
      "SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
    await expect.poll(async () => (await one.query(waits)).rowCount, { timeout: 10_000 }).toBe(1);
    await one.query("COMMIT");
    expect(await crossing).toBe("categories_not_below_itself");
    const { rows } = await one.query("SELECT id, parent_id FROM categories WHERE id = ANY($1)", [[a, b]]);
    expect(rows).toContainEqual({ id: a, parent_id: b });
    expect(rows).toContainEqual({ id: b, parent_id: null });
  });
});
