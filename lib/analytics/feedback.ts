import { z } from "zod";
import { type Client, dayOf, isCrawler, viewerHash } from "@/lib/analytics/viewers";
import { type Db, inWorkspace } from "@/lib/db";
import { announce } from "@/lib/events/announce";
import type { Snapshot } from "@/lib/visibility";

export type Choice = (typeof choices)[number];
const choices = ["missing", "unclear", "outdated", "other"] as const;

const LONGEST_REASON = 2_000;

/** Form fields. A reason has neither NUL nor lone surrogates, which the database refuses. */
export const Answer = z.object({
  helpful: z.enum(["yes", "no"], { error: 'Send "helpful" as "yes" or "no".' }).transform((word) => word === "yes"),
  choice: z
    .preprocess(
      (text) => text || null,
      z.enum(choices, { error: `"choice" must be one of ${choices.join(", ")}, or absent.` }).nullable(),
    )
    .default(null),
  reason: z
    .string({ error: '"reason" must be a string.' })
    .transform((text) =>
      text
        .replace(/[\0\p{Cs}]/gu, "")
        .replace(/\r\n?/g, "\n")
        .trim(),
    )
    .refine((text) => [...text].length <= LONGEST_REASON, {
      error: `"reason" can have up to ${LONGEST_REASON.toLocaleString("en")} characters.`,
    })
    .transform((text) => text || null)
    .nullable()
    .default(null),
});
export type Answer = z.output<typeof Answer>;

export async function findArticleToRate(
  { read, hidden }: Snapshot,
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

/** A second answer on the same day replaces the first. False for a crawler. */
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
  await inWorkspace(workspaceId, async (db) => {
    const kept = await keep(db, { articleId, day, hash, helpful, choice, reason });
    if (!kept) return;
    const subject = { kind: "feedback", id: kept.id };
    const details = { ...kept, article_id: articleId };
    await announce(db, { kind: "reader", id: null }, "feedback.received", [{ subject, details }]);
  });
  return true;
}

interface Kept extends Answer {
  id: string;
  /** Of the article. */
  slug: string;
}

async function keep(
  db: Db,
  input: Answer & { articleId: string; day: string; hash: Buffer },
): Promise<Kept | undefined> {
  const { articleId, day, hash, helpful, choice, reason } = input;
  // The same statement checks that the article is still published and takes feedback.
  const [kept] = await db.$queryRaw<Kept[]>`
    INSERT INTO feedback AS said (article_id, day, viewer_hash, helpful, choice, reason)
    SELECT a.id, ${day}::date, ${hash}, ${helpful}, ${choice}, ${reason}
    FROM articles a JOIN workspaces w ON w.id = a.workspace_id AND w.feedback_enabled
    WHERE a.id = ${articleId}::uuid AND a.state = 'published'
    ON CONFLICT (workspace_id, article_id, day, viewer_hash) DO UPDATE SET
      helpful = EXCLUDED.helpful,
      choice = CASE WHEN EXCLUDED.choice IS NULL AND EXCLUDED.reason IS NULL AND said.helpful = EXCLUDED.helpful
        THEN said.choice ELSE EXCLUDED.choice END,
      reason = CASE WHEN EXCLUDED.choice IS NULL AND EXCLUDED.reason IS NULL AND said.helpful = EXCLUDED.helpful
        THEN said.reason ELSE EXCLUDED.reason END
    RETURNING id::text, helpful, choice, reason,
      (SELECT slug FROM articles a WHERE a.workspace_id = said.workspace_id AND a.id = said.article_id) AS slug`;
  return kept;
}
