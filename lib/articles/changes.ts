import { z } from "zod";
import { holdSchedules } from "@/lib/articles/hold";
import { leadFormerSlugs } from "@/lib/articles/store";
import { tagName } from "@/lib/articles/tags";
import { idsOfTags } from "@/lib/articles/write-parts";
import { type Actor, recordAudit, recordAudits } from "@/lib/audit/audit";
import { slugify } from "@/lib/content/slug";
import { type Db, lockWorkspace, type Read, readingOf } from "@/lib/db";
import { InvalidError, type InvalidField, NotFoundError } from "@/lib/errors";
import { membersCalled } from "@/lib/members/members";
import type { Permission } from "@/lib/members/roles";
import { reindexArticles } from "@/lib/search/reindex";
import { fold } from "@/lib/search/words";

// These changes apply immediately, without publishing.

const refusal = (field: string, code: InvalidField["code"], message: string) =>
  new InvalidError([{ field, code, message }]);

/**
 * Changes an article's slug, category or author. Absent fields stay, the old URL redirects, and a new category gets it last.
 * @param changes.slug as typed: "Getting started" and "/articles/getting-started" become `getting-started`
 * @returns the former values
 * @throws InvalidError naming the field, NotFoundError
 */
export async function changeArticle(
  db: Db,
  id: string,
  changes: { slug?: string; categoryId?: string; authorId?: string },
  actor: Actor,
): Promise<{ title: string; slug: string }> {
  const [before] = z.guid().safeParse(id).success
    ? await readingOf(db)<{ title: string; slug: string; categoryId: string; authorId: string; wasSeen: boolean }>(
        `SELECT title, slug, category_id::text AS "categoryId", author_id::text AS "authorId",
           state = 'published' OR published_at IS NOT NULL AS "wasSeen" FROM articles WHERE id = $1::uuid FOR UPDATE`,
        [id],
      )
    : [];
  if (!before) throw new NotFoundError("This article was deleted.");
  const details: Record<string, string> = {};
  const slug = changes.slug === undefined ? before.slug : slugOf(changes.slug);
  if (slug !== before.slug) {
    await takeSlug(db, id, slug);
    // A URL that readers never saw needs no redirect.
    await leadFormerSlugs(db, [{ id, slug, former: before.wasSeen ? before.slug : slug }]);
    details.slug = `${before.slug} → ${slug}`;
  }
  if (changes.authorId !== undefined && changes.authorId !== before.authorId) {
    const person = z.guid().safeParse(changes.authorId).success
      ? await db.member.findFirst({ where: { id: changes.authorId }, select: { firstName: true, lastName: true } })
      : null;
    if (!person) throw refusal("authorId", "not_found", "This member is no longer active. Choose another author.");
    await db.article.updateMany({ where: { id }, data: { authorId: changes.authorId } });
    details.author = `${person.firstName} ${person.lastName}`;
  }
  if (changes.categoryId !== undefined && changes.categoryId !== before.categoryId) {
    details.category = (await putInto(db, [id], changes.categoryId)).name;
  }
  if (Object.keys(details).length === 0) return { title: before.title, slug };
  await db.article.updateMany({ where: { id }, data: { updatedAt: new Date() } });
  await holdSchedules(db, [id], actor);
  await reindexArticles(db, [id]);
  await recordAudit(db, actor, "article.updated", { kind: "article", id, name: before.title }, details);
  return { title: before.title, slug };
}

const MOST_NAMED = 5;

/** Finds a member by name, part of a name, or email address. Throws InvalidError about `authorName` unless one matches. */
export async function authorCalled(read: Read, typed: string): Promise<string> {
  const people = await membersCalled(read, typed.trim().replace(/\s+/g, " "), MOST_NAMED + 1);
  const [one] = people;
  if (!one) {
    throw refusal("authorName", "not_found", "No active member has this name. Enter the name as shown under Members.");
  }
  if (people.length === 1) return one.id;
  const names = people.slice(0, MOST_NAMED).map(({ firstName, lastName }) => `${firstName} ${lastName}`);
  const message = `Several members match: ${names.join(", ")}${people.length > MOST_NAMED ? " and others" : ""}. Enter the full name or the email.`;
  throw refusal("authorName", "invalid", message);
}

export function slugOf(typed: string): string {
  const text = typed.trim().replace(/^.*\/articles\//, "");
  const slug = slugify(text);
  if (text === "" || (slug === "untitled" && !/untitled/i.test(text))) {
    throw refusal("slug", "invalid", "Enter a slug with at least one letter or digit, such as getting-started.");
  }
  return slug;
}

async function takeSlug(db: Db, id: string, slug: string): Promise<void> {
  // Held until the transaction ends, so that two members cannot take the same slug.
  await lockWorkspace(db);
  await refuseTaken(db, id, slug);
  await db.article.updateMany({ where: { id }, data: { slug, slugChosen: true } });
}

/** Throws InvalidError unless an article can take a slug. */
export async function refuseTaken(db: Db, id: string, slug: string): Promise<void> {
  const other = await db.article.findFirst({ where: { slug, id: { not: id } }, select: { title: true } });
  if (other) throw refusal("slug", "taken", `The article “${other.title}” has this slug. Choose another one.`);
  // Slugs of deleted articles are free, and so are former slugs of this one.
  const leads = await db.redirect.findFirst({
    where: {
      fromPath: `/articles/${slug}`,
      kind: { not: "gone" },
      OR: [{ articleId: null }, { articleId: { not: id } }],
    },
    select: { id: true },
  });
  if (leads) {
    throw refusal(
      "slug",
      "taken",
      "This URL already redirects to another page. Choose another slug or remove the redirect first.",
    );
  }
}

/**
 * Puts articles at the end of a category, in the given order. Returns those that moved. Throws InvalidError about `categoryId`.
 */
export async function moveArticles(
  db: Db,
  ids: readonly string[],
  categoryId: string,
  actor: Actor,
): Promise<{ category: string; moved: { id: string; title: string }[] }> {
  const there = await lockArticles(db, ids);
  const elsewhere = ids.flatMap((id) => there.filter((one) => one.id === id && one.categoryId !== categoryId));
  const category = await putInto(
    db,
    elsewhere.map(({ id }) => id),
    categoryId,
  );
  const moved = elsewhere.map(({ id }) => id);
  await holdSchedules(db, moved, actor);
  await reindexArticles(db, moved);
  const changes = elsewhere.map(({ id, title, category: former }) => ({
    subject: { kind: "article", id, name: title },
    details: { category: `${former} → ${category.name}` },
  }));
  await recordAudits(db, actor, "article.updated", changes);
  return { category: category.name, moved: elsewhere.map(({ id, title }) => ({ id, title })) };
}

async function putInto(db: Db, ids: readonly string[], categoryId: string): Promise<{ name: string }> {
  const [category] = z.guid().safeParse(categoryId).success
    ? await readingOf(db)<{ name: string }>("SELECT name FROM categories WHERE id = $1::uuid FOR NO KEY UPDATE", [
        categoryId,
      ])
    : [];
  if (!category) throw refusal("categoryId", "not_found", "This category was deleted. Choose another one.");
  await db.$executeRaw`
    UPDATE articles a SET category_id = ${categoryId}::uuid, sequence = last.place + g.place, updated_at = now()
    FROM unnest(${ids}::uuid[]) WITH ORDINALITY AS g(id, place),
      (SELECT least(coalesce(max(sequence), 0), 2000000000) AS place FROM articles WHERE category_id = ${categoryId}::uuid) last
    WHERE a.id = g.id`;
  return category;
}

/**
 * Refuses immediate changes to published articles by members who may not publish. Throws InvalidError. The articles stay
 * locked, so nobody publishes one until the transaction ends.
 */
export async function refusePublished(
  db: Db,
  ids: readonly string[],
  permissions: readonly Permission[],
): Promise<void> {
  if (permissions.includes("articles.publish")) return;
  const [seen] = await readingOf(db)<{ title: string }>(
    // In a subquery, only published articles would be locked.
    `WITH locked AS MATERIALIZED (SELECT title, state FROM articles WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE)
     SELECT title FROM locked WHERE state = 'published' LIMIT 1`,
    [ids],
  );
  if (!seen) return;
  throw refusal(
    "",
    "not_allowed",
    `“${seen.title}” is published, and your role can't change published articles. Ask someone who can publish.`,
  );
}

async function lockArticles(
  db: Db,
  ids: readonly string[],
): Promise<{ id: string; title: string; categoryId: string; category: string }[]> {
  const articles = await readingOf(db)<{ id: string; title: string; categoryId: string; category: string }>(
    `SELECT a.id::text, a.title, a.category_id::text AS "categoryId", c.name AS category
     FROM articles a JOIN categories c ON c.workspace_id = a.workspace_id AND c.id = a.category_id
     WHERE a.id = ANY($1::uuid[]) ORDER BY a.id FOR UPDATE OF a`,
    [ids],
  );
  if (articles.length === 0) throw new NotFoundError("These articles were deleted.");
  return articles;
}

/**
 * Adds a tag immediately, also to published articles. An open editor gets a conflict on its next save.
 * @returns the articles that did not have it
 * @throws InvalidError about `tag`
 */
export async function tagArticles(
  db: Db,
  ids: readonly string[],
  name: string,
  actor: Actor,
): Promise<{ tag: string; tagged: { id: string; title: string }[] }> {
  const tag = tagName(name, "tag");
  const articles = await lockArticles(db, ids);
  const tagId = (await idsOfTags(db, [tag])).get(fold(tag));
  const changed = await readingOf(db)<{ id: string }>(
    `INSERT INTO article_tags (article_id, tag_id, position, in_live, in_draft)
     SELECT a.id, $2::uuid, coalesce((SELECT max(position) FROM article_tags x WHERE x.article_id = a.id), 0) + 1,
       a.state = 'published', true
     FROM articles a WHERE a.id = ANY($1::uuid[])
     ON CONFLICT (workspace_id, article_id, tag_id) DO UPDATE SET in_live = excluded.in_live, in_draft = true
       WHERE NOT (article_tags.in_draft AND article_tags.in_live = excluded.in_live)
     RETURNING article_id::text AS id`,
    [articles.map(({ id }) => id), tagId],
  );
  const tagged = articles.filter(({ id }) => changed.some((one) => one.id === id));
  await db.article.updateMany({
    where: { id: { in: tagged.map(({ id }) => id) } },
    data: { revision: { increment: 1 } },
  });
  await holdSchedules(
    db,
    tagged.map(({ id }) => id),
    actor,
  );
  const changes = tagged.map(({ id, title }) => ({ subject: { kind: "article", id, name: title }, details: { tag } }));
  await recordAudits(db, actor, "article.tagged", changes);
  return { tag, tagged: tagged.map(({ id, title }) => ({ id, title })) };
}
