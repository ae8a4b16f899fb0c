import type { Client } from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { Db } from "@/lib/db";
import {
  compositeKeys,
  filterOf,
  type Lock,
  missingGrant,
  type Planted,
  plant,
  rowSecurity,
  snapshot,
  tablesOf,
  workspaceInKey,
  workspaceOfJobs,
  writtenRows,
} from "@/testing/wall";
import { aDatabase, type TestDatabase, testServers } from "@/testing/workspace";

// The attacks on the wall. Each is tried three times from inside one workspace: on another workspace, where it must
// reach nothing, then on its own, where the same must work, and on the other again with its locks taken off the database,
// where it must succeed: an attack that cannot succeed proves nothing.

let wall: typeof import("@/lib/db");
let owner: Client;
let ours: Planted;
let theirs: Planted;

/** Made by ours. Gives whatever it got to see. */
type Attack = (on: Planted) => Promise<unknown>;

const inside = <T>(work: (db: Db) => Promise<T>) => wall.inWorkspace(ours.id, work);
const key = (workspace: Planted, table: string) => ({
  workspaceId_id: { workspaceId: workspace.id, id: workspace.ids[table] ?? "" },
});
const synonym = (term: string) => ({ term, termFolded: term, replacements: ["x"] });

const attacks: [name: string, attack: Attack, ...locks: Lock[]][] = [
  // Reading
  ["findMany without a filter", () => inside((db) => db.article.findMany()), rowSecurity("articles")],
  [
    "findMany in a workspace that is named",
    (on) => inside((db) => db.article.findMany({ where: { workspaceId: on.id } })),
    rowSecurity("articles"),
  ],
  [
    "findUnique by the whole key",
    (on) => inside((db) => db.article.findUnique({ where: key(on, "articles") })),
    rowSecurity("articles"),
  ],
  [
    "findFirst by a slug",
    (on) => inside((db) => db.article.findFirst({ where: { slug: on.word } })),
    rowSecurity("articles"),
  ],
  [
    "groupBy over all there is",
    () => inside((db) => db.article.groupBy({ by: ["workspaceId"] })),
    rowSecurity("articles"),
  ],
  ["findMany of workspaces", () => inside((db) => db.workspace.findMany()), rowSecurity("workspaces")],
  [
    "SQL of Prisma's without a filter",
    () => inside((db) => db.$queryRaw`SELECT id, title FROM articles`),
    rowSecurity("articles"),
  ],
  [
    "SQL of a reading unit, by id",
    (on) => wall.readWorkspace(ours.id, (read) => read("SELECT * FROM members WHERE id = $1", [on.ids.members])),
    rowSecurity("members"),
  ],
  [
    "the function that filters by words",
    (on) => wall.readWorkspace(ours.id, (read) => read("SELECT search_filter($1::tsquery)", [`'${on.word}'`])),
    filterOf("search_filter"),
  ],
  [
    "the function that filters by words, from Prisma",
    (on) => inside((db) => db.$queryRaw`SELECT search_filter(${`'${on.word}'`}::tsquery)::text`),
    filterOf("search_filter"),
  ],
  [
    "the function that ranks",
    (on) =>
      wall.readWorkspace(ours.id, (read) => {
        const query = `'${on.word}'`;
        const params = "$1::tsquery, ARRAY[$1::tsquery], ARRAY[$1::tsquery], ARRAY[$1::tsquery], ARRAY[$1::tsquery]";
        return read(`SELECT * FROM search_rank(${params}, ARRAY[$2], '{}', '{}', NULL, NULL, 9, 0)`, [query, on.word]);
      }),
    filterOf("search_rank"),
  ],
  [
    "the function that counts",
    (on) =>
      wall.readWorkspace(ours.id, (read) =>
        read("SELECT $2 AS found FROM search_counts(ARRAY[$1::tsquery], 9, '{}') WHERE found > 0", [
          `'${on.word}'`,
          on.word,
        ]),
      ),
    filterOf("search_counts"),
  ],

  // Changing what is there
  [
    "update by the whole key",
    (on) => inside((db) => db.article.update({ where: key(on, "articles"), data: { title: "Taken" } })),
    rowSecurity("articles"),
    // The note of the change is refused as well.
    rowSecurity("article_changes"),
  ],
  [
    "updateMany without a filter",
    () => inside((db) => db.article.updateMany({ data: { title: "Taken" } })),
    rowSecurity("articles"),
    rowSecurity("article_changes"),
  ],
  [
    "SQL that updates without a filter",
    () => inside((db) => db.$executeRaw`UPDATE articles SET title = 'Taken'`),
    rowSecurity("articles"),
    rowSecurity("article_changes"),
  ],
  [
    "upsert by the whole key",
    (on) =>
      inside((db) =>
        db.synonym.upsert({ where: key(on, "synonyms"), update: { term: "Taken" }, create: synonym(`x${ours.word}`) }),
      ),
    rowSecurity("synonyms"),
  ],
  [
    "delete by the whole key",
    (on) => inside((db) => db.synonym.delete({ where: key(on, "synonyms") })),
    rowSecurity("synonyms"),
  ],
  ["deleteMany without a filter", () => inside((db) => db.synonym.deleteMany()), rowSecurity("synonyms")],
  [
    "SQL that deletes without a filter",
    () => inside((db) => db.$executeRaw`DELETE FROM synonyms`),
    rowSecurity("synonyms"),
  ],
  [
    "a change of the workspace itself",
    (on) => inside((db) => db.$executeRaw`UPDATE workspaces SET name = 'Taken' WHERE id = ${on.id}::uuid`),
    rowSecurity("workspaces"),
  ],

  // Creating for another, and moving there
  [
    "create that names a workspace",
    (on) => inside((db) => db.synonym.create({ data: { ...synonym("new"), workspaceId: on.id } })),
    rowSecurity("synonyms"),
  ],
  [
    "createMany that names a workspace, and reads nothing back",
    (on) => inside((db) => db.synonym.createMany({ data: [{ ...synonym("new"), workspaceId: on.id }] })),
    writtenRows("synonyms"),
  ],
  [
    "create connected to a workspace",
    (on) => inside((db) => db.synonym.create({ data: { ...synonym("new"), workspace: { connect: { id: on.id } } } })),
    rowSecurity("synonyms"),
    rowSecurity("workspaces"),
  ],
  [
    "create nested in a workspace",
    (on) =>
      inside((db) => db.workspace.update({ where: { id: on.id }, data: { synonyms: { create: synonym("new") } } })),
    rowSecurity("synonyms"),
    rowSecurity("workspaces"),
  ],
  [
    "upsert that creates for a named workspace",
    (on) =>
      inside((db) =>
        db.synonym.upsert({
          where: { workspaceId_termFolded: { workspaceId: on.id, termFolded: "new" } },
          update: {},
          create: { ...synonym("new"), workspaceId: on.id },
        }),
      ),
    rowSecurity("synonyms"),
  ],
  [
    "SQL that inserts for a named workspace",
    (on) =>
      inside(
        (db) =>
          db.$executeRaw`INSERT INTO synonyms (workspace_id, term, term_folded, replacements) VALUES (${on.id}::uuid, 'new', 'new', '{x}')`,
      ),
    writtenRows("synonyms"),
  ],
  [
    "update that moves a row",
    (on) => inside((db) => db.synonym.update({ where: key(ours, "synonyms"), data: { workspaceId: on.id } })),
    rowSecurity("synonyms"),
  ],
  [
    "SQL that moves a row",
    (on) =>
      inside(
        (db) =>
          db.$queryRaw`UPDATE synonyms SET workspace_id = ${on.id}::uuid WHERE workspace_id = ${ours.id}::uuid RETURNING id::text`,
      ),
    rowSecurity("synonyms"),
  ],

  [
    "a job that names a workspace",
    (on) => inside((db) => db.$executeRaw`SELECT enqueue_job('any', ${JSON.stringify({ workspace_id: on.id })}::json)`),
    workspaceOfJobs,
  ],

  // Connecting, both ways
  [
    "an article connected to a category",
    (on) =>
      inside((db) => db.article.update({ where: key(ours, "bare"), data: { category: { connect: key(on, "leaf") } } })),
    rowSecurity("articles"),
    rowSecurity("categories"),
    workspaceInKey("articles_workspace_id_author_id_fkey"),
    workspaceInKey("related_articles_workspace_id_related_id_fkey"),
  ],
  [
    "a category connected to an article",
    (on) =>
      inside((db) =>
        db.category.update({ where: key(ours, "leaf"), data: { articles: { connect: key(on, "bare") } } }),
      ),
    rowSecurity("articles"),
    workspaceInKey("articles_workspace_id_author_id_fkey"),
    workspaceInKey("related_articles_workspace_id_related_id_fkey"),
  ],
  [
    "a category connected to a parent",
    (on) =>
      inside((db) =>
        db.category.update({ where: key(ours, "leaf"), data: { parent: { connect: key(on, "categories") } } }),
      ),
    rowSecurity("categories"),
  ],
  [
    "a category connected to a child",
    (on) =>
      inside((db) =>
        db.category.update({ where: key(ours, "categories"), data: { children: { connect: key(on, "leaf") } } }),
      ),
    rowSecurity("categories"),
  ],
  [
    "an article pointed at a category by its id",
    (on) => inside((db) => db.article.updateMany({ data: { categoryId: on.ids.leaf } })),
    workspaceInKey("articles_workspace_id_category_id_fkey"),
  ],
];

async function reachedBy(attack: Attack, on: Planted): Promise<string[]> {
  const before = await snapshot(owner, on.id);
  const marks = [on.word, ...(before.match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g) ?? [])];
  let seen = "";
  try {
    const shown = (_: string, value: unknown) => (typeof value === "bigint" ? Number(value) : value);
    seen = String(JSON.stringify(await attack(on), shown));
  } catch (error) {
    if (on === ours) throw error;
    // A refusal may name what the attacker named, but no more.
    if (String(error).includes(on.word)) seen = on.word;
  }
  const own = on === ours ? "" : await snapshot(owner, ours.id);
  const holds = (text: string) => marks.some((mark) => text.includes(mark));
  return Object.entries({
    seen: holds(seen),
    changed: (await snapshot(owner, on.id)) !== before,
    "pointed at": holds(own),
  }).flatMap(([what, happened]) => (happened ? [what] : []));
}

/** Runs something while locks are off. */
async function without<T>(locks: Lock[], work: () => Promise<T>): Promise<T> {
  const restore: string[] = [];
  try {
    for (const remove of locks) restore.unshift(await remove(owner));
    return await work();
  } finally {
    for (const sql of restore) await owner.query(sql);
  }
}

describe.each(testServers)("on %s", (_, server) => {
  let made: TestDatabase;

  beforeAll(async () => {
    made = await aDatabase(server);
    vi.stubEnv("DATABASE_URL", made.url);
    vi.resetModules();
    wall = await import("@/lib/db");
    owner = await made.connect();
  });

  afterAll(async () => {
    await wall.closeConnections();
    await made.drop();
    vi.unstubAllEnvs();
  });

  beforeEach(async () => {
    ours = await plant(owner);
    theirs = await plant(owner);
  });

  describe.each(attacks)("%s", (_name, attack, ...locks) => {
    test("reaches its own workspace and nothing of another", async () => {
      expect(await reachedBy(attack, theirs)).toEqual([]);
      // Planted again: without a filter, the first attempt changed its own rows.
      ours = await plant(owner);
      expect(await reachedBy(attack, ours)).not.toEqual([]);
    });

    test("reaches the other when its locks are taken away", async () => {
      expect(await without(locks, () => reachedBy(attack, theirs))).not.toEqual([]);
    });
  });

  test("every table shows own rows only, and every one of others' without its policy", async () => {
    const tables = await tablesOf(owner);
    expect(tables.length).toBeGreaterThan(20);
    for (const table of tables) {
      const attack = () => wall.readWorkspace(ours.id, (read) => read(`SELECT t::text FROM ${table} t`));
      expect([table, await reachedBy(attack, theirs)]).toEqual([table, []]);
      expect([table, await reachedBy(attack, ours)]).toEqual([table, ["seen"]]);
      expect([table, await without([rowSecurity(table)], () => reachedBy(attack, theirs))]).toEqual([table, ["seen"]]);
    }
  });

  test("no reference can be pointed at a row of another workspace, and each can without the workspace in its key", async () => {
    const keys = await compositeKeys(owner);
    expect(keys.length).toBeGreaterThan(25);
    for (const { constraint, table, column } of keys) {
      ours = await plant(owner);
      const id = table === "workspaces" ? "id" : "workspace_id";
      const attack: Attack = async (on) => {
        const sql = `SELECT ${column} AS id FROM ${table} WHERE ${id} = $1 AND ${column} IS NOT NULL`;
        const { rows } = await owner.query<{ id: string }>(sql, [on.id]);
        return inside((db) =>
          db.$queryRawUnsafe(
            `UPDATE ${table} t SET ${column} = $1::uuid WHERE ${column} IS NOT NULL RETURNING t::text`,
            rows[0]?.id,
          ),
        );
      };
      // So that the key is what is tried, also where product code may change nothing.
      await without([missingGrant(table, column)], async () => {
        // The content version may change then.
        const own = (await reachedBy(attack, ours)).filter((what) => what !== "changed");
        expect([constraint, ...own]).toEqual([constraint, "seen"]);
        expect([constraint, ...(await reachedBy(attack, theirs))]).toEqual([constraint]);
        const loose = await without([workspaceInKey(constraint)], () => reachedBy(attack, theirs));
        expect([constraint, ...loose]).toEqual([constraint, "seen", "pointed at"]);
      });
    }
  });
});
