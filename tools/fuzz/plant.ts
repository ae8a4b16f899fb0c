import { Client } from "pg";
import { createApiKey, revokeApiKey } from "@/lib/api-keys/api-keys";
import { everyScope, type Scope } from "@/lib/api-keys/scopes";
import { acrossWorkspaces, inWorkspace, readWorkspace } from "@/lib/db";
import { createMember } from "@/lib/members/members";
import { listRoles } from "@/lib/members/roles";
import { plant } from "@/testing/wall";
import { aCategory, anArticle, aWorkspace, type TestWorkspace } from "@/testing/workspace";
import { words } from "./texts";
import type { Rival, Workspace, World } from "./world";

/**
 * Fills an empty database with workspaces: one with nearly everything, one with hardly anything, and the rival, which
 * has a row in every table. The shape never varies, so that a seed draws the same requests.
 * @param databaseUrl the database of the environment, with a user whom no policy limits
 */
export async function plantWorld(databaseUrl: string): Promise<World> {
  const full = await aWorkspace({ subdomain: "fuzz-full" });
  await fill(full, { roots: 3, levels: 4, articles: 60, members: 30 });
  const empty = await aWorkspace({ subdomain: "fuzz-empty" });
  await fill(empty, { roots: 1, levels: 1, articles: 1, members: 2 });
  const changing = await aWorkspace({ subdomain: "fuzz-written" });
  await fill(changing, { roots: 2, levels: 2, articles: 40, members: 2 });
  const own = [await described(full), await described(empty)];
  const written = await described(changing);
  const rival = await aRival(databaseUrl);
  return { domain: "localhost:3000", own, written, rival, tags: [], writes: true, hasLimits: false };
}

interface Amount {
  roots: number;
  levels: number;
  articles: number;
  members: number;
}

async function fill(workspace: TestWorkspace, { roots, levels, articles, members }: Amount): Promise<void> {
  const categories: { id: string; name: string }[] = [];
  for (let root = 0; root < roots; root++) {
    let parentId: string | undefined;
    for (let level = 0; level < levels; level++) {
      const name = `${words[(root * levels + level) % words.length]} ${root}.${level}`;
      const fields = { name, slug: `category-${root}-${level}`, sequence: level % 2 ? level : undefined, parentId };
      const category = await aCategory(workspace, { ...fields, description: level ? `About ${name}` : undefined });
      categories.push(category);
      parentId = category.id;
    }
  }
  const stored: string[] = [];
  for (let place = 0; place < articles; place++) {
    const some = [0, 1, 2, 3].map((step) => words[(place * 4 + step) % words.length]!);
    const { id } = await anArticle(workspace, {
      category: categories[place % categories.length]!,
      title: `${some[0]} ${some[1]} ${place}`,
      slug: `article-${place}`,
      state: place % 4 === 3 ? "draft" : "published",
      html: `<h2>${some[2]}</h2><p>${some.join(" ")} ${"and so on ".repeat(place)}</p><h3>${some[3]}</h3><pre><code>a &lt; b &amp; c</code></pre>`,
      keywords: some.slice(1),
      tags: some.slice(2),
      relatedIds: stored.slice(-3),
      sequence: place,
    });
    stored.push(id);
  }
  for (let place = 0; place < members; place++) {
    const [firstName, lastName] = [words[place % words.length]!, words[(place * 7) % words.length]!];
    const role = ["Admin", "Editor", "Collaborator"][place % 3]!;
    const fields = { email: `member-${place}@${workspace.subdomain}.example`, firstName, lastName, role };
    await inWorkspace(workspace.id, (db) => createMember(db, fields, workspace.actor));
  }
}

async function described({ id, subdomain, key, actor }: TestWorkspace): Promise<Workspace> {
  const newKey = (name: string, scopes: readonly Scope[]) =>
    inWorkspace(id, (db) => createApiKey(db, { name, scopes }, actor));
  const readScopes = everyScope.filter((scope) => scope.endsWith(".read"));
  const [read, revoked, expired] = [
    await newKey("read", readScopes),
    await newKey("revoked", everyScope),
    await newKey("expired", readScopes),
  ];
  await inWorkspace(id, (db) => revokeApiKey(db, revoked.id, actor));
  await acrossWorkspaces.query("UPDATE api_keys SET expires_at = now() - interval '1 second' WHERE id = $1", [
    expired.id,
  ]);
  return readWorkspace(id, async (db) => {
    const column = async (name: string, table: string) =>
      (await db<{ value: string }>(`SELECT ${name}::text AS value FROM ${table} ORDER BY 1`)).map(({ value }) => value);
    const ordered = async (table: string, by: string) =>
      (await db<{ id: string }>(`SELECT id FROM ${table} ORDER BY ${by}`)).map((row) => row.id);
    return {
      subdomain,
      keys: { read: read.text, readWrite: key.text },
      formerKeys: [revoked.text, expired.text],
      categoryIds: await ordered("categories", "slug"),
      articles: [
        ...(await ordered("articles", "slug")),
        ...(await column("slug", "articles")),
        ...(await column("permalink", "articles")),
      ],
      memberIds: await ordered("members", "email"),
      emails: await column("email", "members"),
      roles: (await listRoles(db)).map(({ name }) => name),
      words,
    };
  });
}

async function aRival(databaseUrl: string): Promise<Rival> {
  const owner = new Client({ connectionString: databaseUrl });
  await owner.connect();
  const { id, word, ids } = await plant(owner).finally(() => owner.end());
  const { text } = await inWorkspace(id, (db) =>
    createApiKey(db, { name: word, scopes: everyScope }, { kind: "system", id: null, name: "fuzz" }),
  );
  const { articles, bare, categories, leaf, members } = ids;
  const known = (...some: (string | undefined)[]) => some.filter((one) => one !== undefined);
  return {
    subdomain: word,
    word,
    key: text,
    ids: {
      articles: known(articles, bare, word, `${word}-bare`),
      categoryIds: known(categories, leaf),
      memberIds: known(members),
    },
  };
}
