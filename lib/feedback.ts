import { z } from "zod";
import { type Db, inWorkspace } from "@/lib/db";
import { type Client, dayOf, isCrawler, viewerHash } from "@/lib/viewers";
import type { Sight } from "@/lib/visibility";

// Whether an article helped, as its readers say: each once a day, and as they said last.

/** What is offered as a reason for "No". */
export type Choice = (typeof choices)[number];
const choices = ["missing", "unclear", "outdated", "other"] as const;

/** The most characters of a reader's own words. */
const LONGEST_REASON = 2_000;

/** What a reader's form says, each field as text. A reason has neither NUL nor half letters, which the database refuses. */
export const Answer = z.object({
  helpful: z
    .enum(["yes", "no"], { error: 'Say whether the article helped: send "helpful" as "yes" or "no".' })
    .transform((word) => word === "yes"),
  choice: z
    .preprocess(
      (text) => text || null,
      z.enum(choices, { error: `"choice" is one of ${choices.join(", ")}, or left out.` }).nullable(),
    )
    .default(null),
  reason: z
    .string({ error: '"reason" is a text.' })
    .transform((text) =>
      text
        .replace(/[\0\p{Cs}]/gu, "")
        .replace(/\r\n?/g, "\n")
        .trim(),
    )
    .refine((text) => [...text].length <= LONGEST_REASON, {
      error: `"reason" is over ${LONGEST_REASON.toLocaleString("en")} characters: shorten it.`,
    })
    .transform((text) => text || null)
    .nullable()
    .default(null),
});
export type Answer = z.output<typeof Answer>;

/** A published article that whoever asks may see, as its feedback needs it; null for any other name. */
export async function findArticleToRate(
  { read, hidden }: Sight,
  slug: string,
): Promise<{ id: string; slug: string; title: string } | null> {
  const [article] = await read<{ id: string; slug: string; title: string }>(
    `SELECT a.id, a.slug, l.title FROM articles a
     JOIN article_live l ON l.workspace_id = a.workspace_id AND l.id = a.id
     WHERE a.slug = $1 AND a.state = 'published' AND a.category_id <> ALL($2::uuid[])`,
    [slug.replaceAll("\0", ""), hidden],
  );
  return article ?? null;
}

/**
 * Keeps what a reader says of an article. Who says something else on the same day changes it; a reason stays until
 * another one is given, or the answer turns.
 * @param articleId of findArticleToRate
 * @returns false for a crawler, of which nothing is kept
 * @throws UnavailableError
 */
export async function giveFeedback(
  workspaceId: string,
  articleId: string,
  { helpful, choice, reason }: Answer,
  client: Client,
  now = new Date(),
): Promise<boolean> {
  if (isCrawler(client)) return false;
  const day = dayOf(now);
  const hash = await viewerHash(workspaceId, client, day);
  await inWorkspace(workspaceId, (db) => keep(db, { articleId, day, hash, helpful, choice, reason }));
  return true;
}

function keep(db: Db, given: Answer & { articleId: string; day: string; hash: Buffer }): Promise<number> {
  const { articleId, day, hash, helpful, choice, reason } = given;
  // Whether feedback is wanted, and the article still published, is seen to by the same statement.
  return db.$executeRaw`
    INSERT INTO feedback AS said (article_id, day, viewer_hash, helpful, choice, reason)
    SELECT a.id, ${day}::date, ${hash}, ${helpful}, ${choice}, ${reason}
    FROM articles a JOIN workspaces w ON w.id = a.workspace_id AND w.feedback_enabled
    WHERE a.id = ${articleId}::uuid AND a.state = 'published'
    ON CONFLICT (workspace_id, article_id, day, viewer_hash) DO UPDATE SET
      helpful = EXCLUDED.helpful,
      choice = CASE WHEN EXCLUDED.choice IS NULL AND EXCLUDED.reason IS NULL AND said.helpful = EXCLUDED.helpful
        THEN said.choice ELSE EXCLUDED.choice END,
      reason = CASE WHEN EXCLUDED.choice IS NULL AND EXCLUDED.reason IS NULL AND said.helpful = EXCLUDED.helpful
        THEN said.reason ELSE EXCLUDED.reason END`;
}
