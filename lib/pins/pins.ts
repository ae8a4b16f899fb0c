import { type Actor, memberId, recordAudit } from "@/lib/audit/audit";
import { type Db, lockWorkspace, type Read, readingOf } from "@/lib/db";
import { InvalidError, NotFoundError } from "@/lib/errors";
import { workspaceLimits } from "@/lib/limits";
import { MOST_PINS } from "@/lib/search/first";
import { parseQuery } from "@/lib/search/query";

/** The articles that are pinned for one search, in their order. */
export interface PinnedSearch {
  term: string;
  articles: { id: string; slug: string; title: string; published: boolean }[];
}

/** One article, pinned for one search. */
export interface Pin {
  /** As a reader types it. Searches with the same words in the same order are one. */
  term: string;
  articleId: string;
}

const MOST_CHARACTERS = 200;
const MOST_SEARCHES = workspaceLimits.searchesWithPins;
const order = "position, created_at, article_id";

/** One page of the searches that have pins, by term, and the total. */
export async function listPins(
  read: Read,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ searches: PinnedSearch[]; total: number }> {
  const searches = await read<PinnedSearch>(
    `WITH listed AS (
       SELECT term_folded FROM search_pins GROUP BY term_folded ORDER BY term_folded COLLATE "und-x-icu" LIMIT $1 OFFSET $2
     )
     SELECT (array_agg(p.term ORDER BY p.created_at, p.id))[1] AS term,
       json_agg(json_build_object('id', a.id, 'slug', a.slug, 'title', a.title, 'published', a.state = 'published')
         ORDER BY p.position, p.created_at, p.article_id) AS articles
     FROM listed JOIN search_pins p ON p.term_folded = listed.term_folded
     JOIN articles a ON a.workspace_id = p.workspace_id AND a.id = p.article_id
     GROUP BY p.term_folded ORDER BY p.term_folded COLLATE "und-x-icu"`,
    [limit, offset],
  );
  const [count] = await read<{ total: number }>("SELECT count(DISTINCT term_folded)::int AS total FROM search_pins");
  return { searches, total: count?.total ?? 0 };
}

/**
 * Puts an article after those that are pinned for a search. Pinning it again changes nothing.
 * @throws InvalidError, NotFoundError
 */
export async function pinArticle(db: Db, { term: typed, articleId }: Pin, actor: Actor): Promise<void> {
  const term = typed.normalize("NFC").trim().replace(/\s+/g, " ");
  const termFolded = foldedOf(term);
  if (/[\p{Cc}\p{Cs}]/u.test(term)) throw invalid("The search can't contain control characters.");
  if (term.length > MOST_CHARACTERS)
    throw invalid(`A search can have up to ${MOST_CHARACTERS} characters.`, "too_long");
  if (termFolded === "") throw invalid("Enter a search with at least one letter or digit.", "required");
  await lockWorkspace(db);
  const title = await titleOf(db, articleId);
  const pins = await pinsOf(db, termFolded);
  if (pins.some((pin) => pin.articleId === articleId)) return;
  if (pins.length >= MOST_PINS) {
    throw invalid(`A search can have up to ${MOST_PINS} pinned articles. Unpin one first.`, "not_allowed");
  }
  if (pins.length === 0 && (await searchesIn(db)) >= MOST_SEARCHES) {
    const most = MOST_SEARCHES.toLocaleString("en");
    throw invalid(`At most ${most} searches can have pinned articles. Unpin the articles of another search first.`);
  }
  const position = (pins.at(-1)?.position ?? 0) + 1;
  await db.searchPin.create({ data: { term, termFolded, articleId, position, createdBy: memberId(actor) } });
  await recordAudit(db, actor, "article.pinned", { kind: "article", id: articleId, name: title }, { search: term });
}

/** @throws NotFoundError when the article is not pinned for the search */
export async function unpinArticle(db: Db, { term, articleId }: Pin, actor: Actor): Promise<void> {
  await lockWorkspace(db);
  const title = await titleOf(db, articleId);
  const { count } = await db.searchPin.deleteMany({ where: { termFolded: foldedOf(term), articleId } });
  if (count === 0) throw notPinned();
  await recordAudit(db, actor, "article.unpinned", { kind: "article", id: articleId, name: title }, { search: term });
}

/**
 * Moves a pinned article one place up or down. At the end of the list nothing changes.
 * @throws NotFoundError when the article is not pinned for the search
 */
export async function movePin(db: Db, { term, articleId }: Pin, by: -1 | 1, actor: Actor): Promise<void> {
  await lockWorkspace(db);
  const title = await titleOf(db, articleId);
  const pins = await pinsOf(db, foldedOf(term));
  const from = pins.findIndex((pin) => pin.articleId === articleId);
  if (from < 0) throw notPinned();
  const [moved, other] = [pins[from], pins[from + by]];
  if (!moved || !other) return;
  pins[from] = other;
  pins[from + by] = moved;
  for (const [index, { id }] of pins.entries()) {
    await db.searchPin.updateMany({ where: { id }, data: { position: index + 1 } });
  }
  await recordAudit(db, actor, "article.pin_moved", { kind: "article", id: articleId, name: title }, { search: term });
}

function foldedOf(term: string): string {
  return parseQuery(term).folded;
}

function pinsOf(db: Db, folded: string): Promise<{ id: string; articleId: string; position: number }[]> {
  return readingOf(db)(
    `SELECT id, article_id AS "articleId", position FROM search_pins WHERE term_folded = $1 ORDER BY ${order}`,
    [folded],
  );
}

async function searchesIn(db: Db): Promise<number> {
  const [row] = await readingOf(db)<{ count: number }>(
    "SELECT count(DISTINCT term_folded)::int AS count FROM search_pins",
  );
  return row?.count ?? 0;
}

async function titleOf(db: Db, articleId: string): Promise<string> {
  const article = await db.article.findFirst({ where: { id: articleId }, select: { title: true } });
  if (!article) throw new NotFoundError("There is no article with this ID.");
  return article.title;
}

function notPinned(): NotFoundError {
  return new NotFoundError("This article is not pinned for this search.");
}

function invalid(message: string, code: "invalid" | "required" | "too_long" | "not_allowed" = "invalid") {
  return new InvalidError([{ field: "term", code, message }]);
}
