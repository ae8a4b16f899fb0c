import { type Db, inWorkspace, type Read, readWorkspace } from "@/lib/db";
import { env } from "@/lib/env";
import { enqueue } from "@/lib/jobs";
import { type ChunkedArticle, chunksOf } from "./chunks";
import { embed, type Vector } from "./embeddings";

/** How many chunks are preselected by sign bits and then compared by vector. */
const MOST_COMPARED = 100;
/** Articles that a search finds by meaning at most, and how similar they must be (cosine). */
const MOST_NEAR = 20;
const LEAST_SIMILAR = 0.3;
/** Constant of reciprocal rank fusion. A larger one favors first ranks less. */
const RANK = 60;

/** The hash of the text that chunks are made from. `l` is a row of article_live. */
const TEXT_HASH = "sha256(convert_to(concat_ws(E'\\n', l.title, l.meta_description, l.text), 'UTF8'))";

/** Deletes the vectors of drafts, and has jobs make those of published articles that lack them. */
export async function indexVectors(db: Db, articles: readonly { id: string; published: boolean }[]): Promise<void> {
  if (!env().embeddings) return;
  const drafts = articles.filter(({ published }) => !published).map(({ id }) => id);
  if (drafts.length > 0) await db.searchVector.deleteMany({ where: { id: { in: drafts } } });
  for (const { id, published } of articles) if (published) await enqueue(db, "embed_article", { articleId: id });
}

/** Stores the vectors of an article's published text, unless it has them. @throws Error when the embedding server fails */
export async function embedArticle(workspaceId: string, id: string, signal: AbortSignal): Promise<void> {
  const model = env().embeddings?.model;
  if (!model) return;
  const [article] = await readWorkspace(workspaceId, (read) =>
    read<ChunkedArticle & { hash: string }>(
      `SELECT * FROM (
         SELECT l.id, l.title, l.meta_description AS "metaDescription", l.text, l.headings, encode(${TEXT_HASH}, 'hex') AS hash
         FROM article_live l WHERE l.workspace_id = $1 AND l.id = $2
       ) a WHERE NOT EXISTS (
         SELECT FROM search_vectors v
         WHERE v.workspace_id = $1 AND v.id = $2 AND v.model = $3 AND v.text_hash = decode(a.hash, 'hex'))`,
      [workspaceId, id, model],
    ),
  );
  if (!article) return;
  const vectors = await embed(chunksOf(article), signal);
  // A text that was published meanwhile has a job of its own.
  await inWorkspace(workspaceId, (db) =>
    db.$executeRawUnsafe(
      `INSERT INTO search_vectors (id, model, text_hash, bits, vectors)
       SELECT l.id, $2, ${TEXT_HASH}, $4::text[]::varbit[], $5::text[]::bytea[]
       FROM article_live l WHERE l.id = $1::uuid AND ${TEXT_HASH} = decode($3, 'hex') FOR KEY SHARE
       ON CONFLICT (workspace_id, id) DO UPDATE SET model = excluded.model, text_hash = excluded.text_hash,
         bits = excluded.bits, vectors = excluded.vectors`,
      id,
      model,
      article.hash,
      vectors.map(bitsOf),
      vectors.map((vector) => `\\x${Buffer.from(bytesOf(vector).buffer).toString("hex")}`),
    ),
  );
}

const bitsOf = (vector: Vector) => vector.map((value) => (value > 0 ? "1" : "0")).join("");

function bytesOf(vector: Vector): Int8Array {
  const most = vector.reduce((max, value) => Math.max(max, Math.abs(value)), 0);
  return Int8Array.from(vector, (value) => Math.round((value / most) * 127));
}

function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let [product, lengthA, lengthB] = [0, 0, 0];
  for (let index = 0; index < a.length; index++) {
    const [x = 0, y = 0] = [a[index], b[index]];
    product += x * y;
    lengthA += x * x;
    lengthB += y * y;
  }
  return product / Math.sqrt(lengthA * lengthB) || 0;
}

interface Fusion {
  /** The search's (./embeddings.ts). Without one, the articles stay as they are. */
  vector?: Vector | null | undefined;
  /** Articles that have all words. Those at the top stay there, and none is left out. */
  keep: readonly string[];
  leaveOut: readonly string[];
  hidden: readonly string[];
  limit: number;
}

/** Fuses articles found by words with those found by meaning, by their ranks in the two lists (reciprocal rank fusion). */
export async function withNearest<Found extends { id: string }>(
  read: Read,
  workspaceId: string,
  byWords: readonly Found[],
  { vector, keep, leaveOut, hidden, limit }: Fusion,
): Promise<{ id: string }[]> {
  if (!vector) return [...byWords];
  const kept = new Set(keep);
  const other = byWords.findIndex(({ id }) => !kept.has(id));
  const first = other < 0 ? byWords : byWords.slice(0, other);
  const near = await nearest(read, workspaceId, vector, {
    hidden,
    leaveOut: [...leaveOut, ...first.map(({ id }) => id)],
  });
  const scores = new Map<string, number>();
  for (const ids of [byWords.slice(first.length).map(({ id }) => id), near])
    for (const [rank, id] of ids.entries()) scores.set(id, (scores.get(id) ?? 0) + 1 / (RANK + rank));
  const fused = [...scores].sort(([, a], [, b]) => b - a).map(([id]) => ({ id }));
  let room = limit - kept.size;
  return [...first, ...fused].filter(({ id }) => kept.has(id) || room-- > 0);
}

/** Published articles that are close to a vector, the closest first. */
async function nearest(
  read: Read,
  workspaceId: string,
  vector: Vector,
  { hidden, leaveOut }: Pick<Fusion, "hidden" | "leaveOut">,
): Promise<string[]> {
  const chunks = await read<{ id: string; vector: Buffer }>(
    `WITH near AS MATERIALIZED (
       SELECT id, place FROM (
         SELECT v.id, generate_subscripts(v.bits, 1) AS place, unnest(v.bits) AS bits
         FROM search_vectors v JOIN articles a ON a.workspace_id = $1 AND a.id = v.id
         WHERE v.workspace_id = $1 AND v.model = $3 AND a.state = 'published'
           AND v.id <> ALL($4::uuid[]) AND a.category_id <> ALL($5::uuid[])
       ) one
       WHERE length(bits) = length($2::varbit)
       ORDER BY bit_count(bits # $2::varbit), id, place LIMIT ${MOST_COMPARED}
     )
     SELECT n.id, v.vectors[n.place] AS vector FROM near n JOIN search_vectors v ON v.workspace_id = $1 AND v.id = n.id`,
    [workspaceId, bitsOf(vector), env().embeddings?.model, leaveOut, hidden],
  );
  const similarity = new Map<string, number>();
  for (const { id, vector: bytes } of chunks) {
    const value = cosine(vector, new Int8Array(bytes));
    if (value >= Math.max(LEAST_SIMILAR, similarity.get(id) ?? 0)) similarity.set(id, value);
  }
  const ids = [...similarity]
    .sort(([idA, a], [idB, b]) => b - a || (idA < idB ? -1 : 1))
    .slice(0, MOST_NEAR)
    .map(([id]) => id);
  // Vectors of a text that has changed since do not count.
  const current = await read<{ id: string }>(
    `SELECT l.id FROM search_vectors v JOIN article_live l ON l.workspace_id = v.workspace_id AND l.id = v.id
     WHERE v.workspace_id = $1 AND v.id = ANY($2::uuid[]) AND v.text_hash = ${TEXT_HASH}`,
    [workspaceId, ids],
  );
  const isCurrent = new Set(current.map(({ id }) => id));
  return ids.filter((id) => isCurrent.has(id));
}
