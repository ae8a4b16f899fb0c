import { randomBytes } from "node:crypto";
import sharp from "sharp";
import { createApiKey } from "@/lib/api-keys/api-keys";
import type { Scope } from "@/lib/api-keys/scopes";
import { slugify } from "@/lib/content/slug";
import { inWorkspace } from "@/lib/db";
import { createMember } from "@/lib/members/members";
import { hashPassword } from "@/lib/members/passwords";
import { anArticle } from "@/testing/workspace";
import { actor, password, type TestWorkspace } from "./kit";

interface Fields {
  title: string;
  slug: string;
  state?: "draft" | "published";
  sequence?: number;
}

/** Adds an article to a category of a workspace of the running server. Returns its id and permalink. */
export function putArticle(
  workspace: TestWorkspace,
  categoryId: string,
  { title, slug, state = "published", sequence = 0 }: Fields,
): Promise<{ id: string; permalink: string }> {
  return inWorkspace(workspace.id, async (db) => {
    const permalink = `a-${randomBytes(4).toString("hex")}`;
    const text = `All about ${title.toLowerCase()}.`;
    const { id } = await db.article.create({
      data: { permalink, slug, categoryId, sequence, authorId: workspace.memberId, state, title },
    });
    const html = `<p>${text}</p>`;
    if (state === "draft") await db.articleDraft.create({ data: { id, title, html, text } });
    else
      await db.articleLive.create({
        data: { id, title, html, renderedHtml: html, text, excerpt: text, markdown: text },
      });
    return { id, permalink };
  });
}

/** Adds a category to a workspace of the running server, with a slug from its name. */
export async function putCategory(
  workspace: TestWorkspace,
  name: string,
  fields: { description?: string; sequence?: number; parentId?: string; visibility?: "everyone" | "members" } = {},
): Promise<string> {
  const slug = slugify(name);
  const { id } = await inWorkspace(workspace.id, (db) => db.category.create({ data: { ...fields, name, slug } }));
  return id;
}

/** Publishes an article with everything that is derived from its HTML. Its slug comes from its title. */
export async function publish(
  workspace: TestWorkspace,
  categoryId: string,
  fields: Omit<Parameters<typeof anArticle>[1], "category">,
): Promise<{ id: string; url: string }> {
  const category = await inWorkspace(workspace.id, (db) =>
    db.category.findFirstOrThrow({ where: { id: categoryId }, select: { id: true, name: true } }),
  );
  const { id, slug } = await anArticle(workspace, { ...fields, category });
  return { id, url: `${workspace.url}/articles/${slug}` };
}

/** Creates a member of a workspace of the running server, with the common password. Returns their id and email. */
export async function putMember(
  workspace: TestWorkspace,
  [firstName, lastName]: [string, string],
  role: string,
): Promise<{ id: string; email: string }> {
  const email = `${firstName.toLowerCase()}@example.com`;
  const passwordHash = await hashPassword(password);
  const person = { email, firstName, lastName, role, passwordHash };
  const { id } = await inWorkspace(workspace.id, (db) => createMember(db, person, actor));
  return { id, email };
}

/** Creates an API key of a workspace of the running server. Returns its text. */
export async function putKey(
  workspace: TestWorkspace,
  scopes: readonly Scope[] = ["content.read", "members.read"],
): Promise<string> {
  const fields = { name: "Browser tests", scopes };
  return (await inWorkspace(workspace.id, (db) => createApiKey(db, fields, actor))).text;
}

/** Draws a PNG in one color. */
export const draw = (background = "teal", width = 600, height = 200) =>
  sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer();
