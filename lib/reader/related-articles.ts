import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { ArticleLink } from "@/lib/articles/article-parts";
import type { Heading } from "@/lib/content/headings";
import type { Read } from "@/lib/db";
import type { Query } from "@/lib/search/query";
import { isSmallWord } from "@/lib/search/small-words";
import { someWords } from "@/lib/search/some-words";
import { wordsIn, wordsOf } from "@/lib/search/words";
import type { Snapshot } from "@/lib/visibility";

/** The parts of an article that tell its subject. */
export interface Subject {
  workspaceId: string;
  /** The workspace's. */
  language: string;
  id: string;
  slug: string;
  permalink: string;
  categoryId: string;
  title: string;
  metaDescription: string | null;
  keywords: readonly string[];
  headings: readonly Heading[];
  /** The first part of the text. */
  beginning: string;
  tags: readonly { id: string }[];
  /** Rises with every change of the article. */
  revision: number;
}

/** Candidates by shared words. The best scores 1, to which the other signals are added. */
const MOST_BY_WORDS = 60;
/** Rare words relate articles, common ones hardly. */
const RARITY = 1.5;
const LINKED_TO = 0.5;
const LINKED_FROM = 0.4;
/** For a shared tag. Common tags add less. */
const TAG = 0.4;
const SAME_CATEGORY = 0.2;
/** For a title with all words of this article's title. A title with some of them adds less. */
const TITLE = 0.4;
/** Includes articles that the page already shows. */
const CANDIDATES = 60;
/** How long candidates are kept, in milliseconds, even if other articles change. Finding them is the slowest part of a page. */
const KEPT_MS = 10 * 60_000;
const kept = new LRUCache<string, readonly Scored[]>({
  maxSize: 200_000,
  sizeCalculation: (candidates) => candidates.length + 1,
  ttl: KEPT_MS,
});
/** The share that is left to a variant of an article that is shown. */
const VARIANT = 0.25;

/** How many articles of a tag, links or neighbors are looked at. */
const MOST_OF_A_TAG = 200;
const MOST_LINKS = 100;
const MOST_NEIGHBORS = 8;

/**
 * Articles about the same subject, the closest first: by shared words, the rare ones above all, links in either direction,
 * tags, and a little by category. If an article has variants for several countries or versions, one counts fully. New and edited
 * articles can be up to twenty minutes late: ten here, and ten in the kept page. Articles the viewer can't see are left out immediately.
 * @param without ids of articles that the page shows anyway
 */
export async function relatedTo(
  { read, hidden }: Snapshot,
  subject: Subject,
  without: readonly string[],
  limit: number,
): Promise<ArticleLink[]> {
  const closed = createHash("sha256").update(hidden.join()).digest("base64");
  const key = [subject.workspaceId, subject.id, subject.revision, subject.language, closed].join(" ");
  const others = (candidates: Candidate[]) => candidates.filter(({ id }) => !without.includes(id));
  let candidates = others(await stillThere(read, subject.workspaceId, kept.get(key) ?? [], hidden));
  // In a small workspace, each new article matters.
  if (candidates.length < limit) {
    const all = await candidatesFor(read, subject, hidden);
    kept.set(
      key,
      all.map(({ id, score }) => ({ id, score })),
    );
    candidates = others(all);
  }
  return weighed(subject.title, candidates)
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(({ score: _, ...link }) => link);
}

interface Scored {
  id: string;
  score: number;
}

type Candidate = ArticleLink & Scored;

/** Those of the kept candidates that the viewer can still see, with current titles and slugs. */
async function stillThere(
  read: Read,
  workspaceId: string,
  known: readonly Scored[],
  hidden: readonly string[],
): Promise<Candidate[]> {
  if (known.length === 0) return [];
  return read<Candidate>(
    `SELECT r.id, r.title, r.slug, near.score
     FROM unnest($2::uuid[], $3::float8[]) WITH ORDINALITY AS near (id, score, place)
     JOIN articles r ON r.workspace_id = $1 AND r.id = near.id
     WHERE r.state = 'published' AND r.category_id <> ALL($4::uuid[])
     ORDER BY near.place`,
    [workspaceId, known.map(({ id }) => id), known.map(({ score }) => score), hidden],
  );
}

async function candidatesFor(read: Read, subject: Subject, hidden: readonly string[]): Promise<Candidate[]> {
  const query = queryOf(subject);
  const find = { language: subject.language, leaveOut: [subject.id], hidden, limit: MOST_BY_WORDS, rarity: RARITY };
  const found = query.groups.length > 0 ? await someWords(read, subject.workspaceId, query, find) : [];
  const best = found[0]?.score || 1;
  return read<Candidate>(
    `SELECT r.id, r.title, r.slug, sum(near.score) + (r.category_id = $7)::int * ${SAME_CATEGORY} AS score FROM (
       SELECT id, score FROM unnest($2::uuid[], $3::float8[]) AS alike (id, score)
       UNION ALL
       SELECT * FROM (
         SELECT DISTINCT t.id, ${LINKED_TO} FROM (
           SELECT substr(l.target, 11) AS name FROM article_links l
           WHERE l.workspace_id = $1 AND l.article_id = $4 AND l.in_live AND l.target LIKE '/articles/%' LIMIT ${MOST_LINKS}
         ) link JOIN articles t ON t.workspace_id = $1 AND (t.slug = link.name OR t.permalink = link.name)
       ) linked_to
       UNION ALL
       SELECT DISTINCT article_id, ${LINKED_FROM} FROM (
         SELECT l.article_id FROM article_links l
         WHERE l.workspace_id = $1 AND l.target = ANY($5::text[]) AND l.in_live LIMIT ${MOST_LINKS}
       ) linked_from
       UNION ALL
       SELECT x.article_id, ${TAG} / (1 + ln(x.count)) FROM unnest($6::uuid[]) AS tag (id) CROSS JOIN LATERAL (
         SELECT one.article_id, count(*) OVER () FROM (
           SELECT article_id FROM article_tags WHERE workspace_id = $1 AND tag_id = tag.id AND in_live LIMIT ${MOST_OF_A_TAG}
         ) one
       ) x
       UNION ALL
       (SELECT id, 0 FROM articles WHERE workspace_id = $1 AND state = 'published' AND category_id = $7
        ORDER BY sequence, title, id LIMIT ${MOST_NEIGHBORS})
     ) near (id, score)
     JOIN articles r ON r.workspace_id = $1 AND r.id = near.id
     WHERE r.state = 'published' AND r.id <> $4 AND r.category_id <> ALL($8::uuid[])
     GROUP BY r.id, r.title, r.slug, r.category_id, r.sequence
     ORDER BY score DESC, r.sequence, r.title, r.id
     LIMIT ${CANDIDATES}`,
    [
      subject.workspaceId,
      found.map(({ id }) => id),
      found.map(({ score }) => score / best),
      subject.id,
      [subject.slug, subject.permalink].map((name) => `/articles/${name}`),
      subject.tags.map(({ id }) => id),
      subject.categoryId,
      hidden,
    ],
  );
}

/**
 * Adds what titles share, above all words that few of the candidates have. A variant of the article, or of a better
 * candidate, for another country or version counts less: a reader needs one at most.
 */
function weighed(title: string, candidates: Candidate[]): Candidate[] {
  const own = tellingWords(title);
  const titles = candidates.map((candidate) => tellingWords(candidate.title));
  const rarity = new Map(
    [...own].map((word) => [word, 1 / Math.max(1, titles.filter((words) => words.has(word)).length)]),
  );
  const weightOf = (words: Iterable<string>) => [...words].reduce((sum, word) => sum + (rarity.get(word) ?? 0), 0);
  const all = Math.max(weightOf(own), 1e-9);
  return candidates.map((candidate, index) => {
    const words = titles[index] as Set<string>;
    const isVariant = [own, ...titles.slice(0, index)].some((other) => areVariants(words, other));
    const score = candidate.score + (TITLE * weightOf(words)) / all;
    return { ...candidate, score: isVariant ? score * VARIANT : score };
  });
}

const tellingWords = (text: string) => new Set(wordsOf(text).filter((word) => !isSmallWord(word)));

const sharedBy = (one: Set<string>, other: Set<string>) => [...one].filter((word) => other.has(word)).length;

/** In words: titles that share fewer may differ in what matters most. */
const SHARED_BY_VARIANTS = 3;

/** Whether two titles are the same, or differ in one word each, as those for two countries or versions do. */
function areVariants(one: Set<string>, other: Set<string>): boolean {
  const shared = sharedBy(one, other);
  const own = Math.max(one.size, other.size) - shared;
  return own === 0 || (own === 1 && one.size === other.size && shared >= SHARED_BY_VARIANTS);
}

/** More words would slow large workspaces. */
const MOST_WORDS = 15;
const SHORTEST_WORD = 3;
/** Longer runs without blanks are phrases, and Hiragana is grammar. */
const DENSE_WORD = /^\P{Script=Hiragana}{2,8}$/u;

/** Words count by where they are and how often. The index knows which are rare. */
function queryOf({ title, metaDescription, keywords, headings, beginning }: Subject): Query {
  const weights = new Map<string, { weight: number; dense: boolean }>();
  const read = (text: string, weight: number) => {
    for (const { folded, dense } of wordsIn(text)) {
      if (dense ? !DENSE_WORD.test(folded) : folded.length < SHORTEST_WORD || isSmallWord(folded)) continue;
      weights.set(folded, { weight: (weights.get(folded)?.weight ?? 0) + weight, dense });
    }
  };
  read(title, 10);
  read(keywords.join(" ; "), 3);
  read(metaDescription ?? "", 2);
  for (const { text } of headings) read(text, 2);
  read(beginning, 1);
  const chosen = [...weights].sort(([, a], [, b]) => b.weight - a.weight).slice(0, MOST_WORDS);
  const groups = chosen.map(([folded, { dense }], at) => [[{ folded, start: 0, end: 0, at: 2 * at, dense }]]);
  return { folded: chosen.map(([folded]) => folded).join(" "), groups };
}
