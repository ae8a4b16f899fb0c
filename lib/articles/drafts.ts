import { randomBytes } from "node:crypto";
import { MOST, oneLine } from "@/lib/articles/prepare-draft";
import { type Actor, recordAudit } from "@/lib/audit/audit";
import { slugify } from "@/lib/content/slug";
import { type Db, lockWorkspace, type Read, readingOf } from "@/lib/db";
import { InvalidError, type InvalidField, NotFoundError } from "@/lib/errors";
import { reindexArticles } from "@/lib/search/reindex";

const NUMBERS = 1_000;

/**
 * Creates an empty draft, by default in the first category.
 * @throws InvalidError for an unusable title, another draft's title, an unknown category or author, or without any category
 */
export async function createDraft(
  db: Db,
  input: { title: string; authorId: string; categoryId?: string | undefined },
  actor: Actor,
): Promise<{ id: string; title: string; category: string }> {
  const read = readingOf(db);
  const title = titleOf(input.title);
  // Held until the transaction ends, so that two members cannot create the same draft.
  await lockWorkspace(db);
  if ((await draftsTitled(read, [title])).size > 0)
    throw refusal("taken", `A draft with the title “${title}” already exists.`);
  const [category] = await read<{ id: string; name: string }>(
    `SELECT id, name FROM categories WHERE CASE WHEN $1::uuid IS NULL THEN parent_id IS NULL ELSE id = $1::uuid END
     ORDER BY sequence NULLS LAST, name, id LIMIT 1 FOR KEY SHARE`,
    [input.categoryId ?? null],
  );
  if (!category && input.categoryId) {
    throw refusal("not_found", "This category was deleted. Choose another one.", "categoryId");
  }
  if (!category) throw refusal("not_allowed", "There are no categories. Create one first.");
  // Sequence 0 would put it first in a category that people have ordered.
  const [last] = await read<{ sequence: number }>(
    "SELECT least(coalesce(max(sequence), 0), 2147483646) AS sequence FROM articles WHERE category_id = $1::uuid",
    [category.id],
  );
  const { id } = await db.article.create({
    data: {
      permalink: `a-${randomBytes(4).toString("hex")}`,
      slug: await unusedSlug(read, title),
      categoryId: category.id,
      sequence: (last?.sequence ?? 0) + 1,
      authorId: input.authorId,
      state: "draft",
      title,
    },
    select: { id: true },
  });
  await db.articleDraft.create({ data: { id, title, html: "", text: "", updatedBy: input.authorId } });
  await reindexArticles(db, [id]);
  await recordAudit(db, actor, "article.created", { kind: "article", id, name: title }, { category: category.name });
  return { id, title, category: category.name };
}

export async function draftsTitled(read: Read, titles: readonly string[]): Promise<Set<string>> {
  const rows = await read<{ title: string }>(
    "SELECT title FROM articles WHERE state = 'draft' AND title = ANY($1::text[])",
    [titles],
  );
  return new Set(rows.map(({ title }) => title));
}

function titleOf(text: string): string {
  const title = oneLine(text);
  if (title === "") throw refusal("required", "Enter a title.");
  if ([...title].length > MOST.title) throw refusal("too_long", `The title can have up to ${MOST.title} characters.`);
  return title;
}

/** A slug that no article has or had: former slugs keep redirecting. */
export async function unusedSlug(read: Read, title: string): Promise<string> {
  const [slug] = await unusedSlugs(read, [title]);
  return slug as string;
}

/** A different slug for each title, and none of `others`. */
export async function unusedSlugs(
  read: Read,
  titles: readonly string[],
  others: readonly string[] = [],
): Promise<string[]> {
  if (titles.length === 0) return [];
  const wanted = titles.map(slugify);
  const taken = new Set([...others, ...(await takenSlugs(read, wanted))]);
  const slugs: string[] = [];
  for (const slug of wanted) {
    const own = taken.has(slug) ? await numbered(read, slug, taken) : slug;
    taken.add(own);
    slugs.push(own);
  }
  return slugs;
}

async function numbered(read: Read, wanted: string, others: ReadonlySet<string>): Promise<string> {
  const slugs = Array.from({ length: NUMBERS }, (_, index) => `${wanted.slice(0, 94)}-${index + 2}`);
  const taken = new Set(await takenSlugs(read, slugs));
  const free = slugs.find((slug) => !taken.has(slug) && !others.has(slug));
  return free ?? `${wanted.slice(0, 80)}-${randomBytes(6).toString("hex")}`;
}

/** Those of the slugs that articles have or had. */
export async function takenSlugs(read: Read, slugs: readonly string[]): Promise<string[]> {
  const rows = await read<{ slug: string }>(
    `SELECT slug FROM articles WHERE slug = ANY($1::text[])
     UNION ALL SELECT substr(from_path, 11) FROM redirects WHERE from_path = ANY($2::text[])`,
    [slugs, slugs.map((slug) => `/articles/${slug}`)],
  );
  return rows.map(({ slug }) => slug);
}

function refusal(code: InvalidField["code"], message: string, field = "title"): InvalidError {
  return new InvalidError([{ field, code, message }]);
}

/** Deletes a draft that is still empty and was never published. Throws NotFoundError. */
export async function discardDraft(db: Db, id: string, actor: Actor): Promise<void> {
  const [article] = await db.$queryRaw<{ title: string }[]>`
    SELECT a.title FROM articles a JOIN article_drafts d ON d.workspace_id = a.workspace_id AND d.id = a.id
    WHERE a.id = ${id}::uuid AND a.state = 'draft' AND a.published_at IS NULL AND a.source_path IS NULL AND d.html = '' FOR UPDATE OF a, d`;
  if (!article) throw new NotFoundError("No such empty draft.");
  await db.article.deleteMany({ where: { id } });
  await db.articleVersion.deleteMany({ where: { articleId: id } });
  await db.articleView.deleteMany({ where: { articleId: id } });
  await recordAudit(db, actor, "article.deleted", { kind: "article", id, name: article.title });
}
