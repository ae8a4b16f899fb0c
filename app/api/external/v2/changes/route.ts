import { z } from "zod";
import { HttpError } from "@/lib/api/errors";
import { PageSize } from "@/lib/api/input";
import { readOperation } from "@/lib/api/operation";
import { route } from "@/lib/api/route";
import { listArticles } from "@/lib/articles/articles";
import { changedArticles, isCursor } from "@/lib/articles/changed-articles";
import { ArticleItem, articleItemShape, Include } from "../_shapes/article";
import { anArticleItem } from "../_shapes/examples";
import { urlsOf } from "../_shapes/urls";
import { visibilities } from "../_shapes/visibility";

const CURSOR =
  "WyI1ZjJjN2QxZS04YTRiLTRjNmQtOWUwZi0xYTJiM2M0ZDVlNmYiLDEyLCJjMWE1ZjBiMi0zZDRlLTRmNjAtOGE5Yi0wYzFkMmUzZjRhNWIiLDIwNDg3XQ";
const EXPIRED = "This cursor has expired. Start over without `after`, and replace your copy.";

const Change = z
  .object({
    article_id: z.guid().describe("The article's ID."),
    changed_at: z.iso.datetime().describe("When the article last changed."),
    removed: z.boolean().describe("Whether the article was deleted, or the key can no longer read it."),
    article: ArticleItem.nullable().describe("The article as it is now. Null if `removed` is true."),
  })
  .meta({ id: "Change", description: "The last change of an article." });

const listChanges = readOperation({
  operationId: "listChanges",
  tag: "Articles",
  summary: "List changes",
  description: [
    "Lists the articles that have changed since a cursor, so that you can keep a copy up to date. Each article is listed once. The articles are ordered by their last change, oldest first. Without `after`, every article is listed.",
    "Store `cursor` with your copy, and pass it as `after` the next time. Changes are listed in commit order, so you don't miss any, even while others write. An article also counts as changed when its category is renamed or moved, or when its visibility changes. Views, neighbors, related articles, and names of people don't count.",
    "A key without the `content.read` scope gets the articles that visitors can see. Articles that visitors can no longer see are listed as removed. Deleted articles are listed for 90 days. A cursor over 90 days old is refused with 410, and so is a cursor from before the installation was restored from a backup.",
  ].join("\n\n"),
  returns: "Changes, oldest first, and the cursor to continue from.",
  example: {
    changes: [
      { article_id: anArticleItem.id, changed_at: "2026-01-31T16:20:00.000Z", removed: false, article: anArticleItem },
    ],
    cursor: CURSOR,
    has_more: false,
  },
  invalid: { field: "after", code: "invalid", message: "after must be a cursor of an earlier response." },
  refusals: [
    {
      code: "cursor_expired",
      description: "The cursor is over 90 days old, or from before the installation was restored from a backup.",
      message: EXPIRED,
    },
  ],
  scope: "public",
  isSlow: () => true,
  params: z.object({}),
  query: z.object({
    after: z
      .string()
      .refine(isCursor, { error: "after must be a cursor of an earlier response." })
      .optional()
      .meta({ description: "The `cursor` of an earlier response. Default: from the beginning.", examples: [CURSOR] }),
    page_size: PageSize,
    include: Include,
  }),
  response: z
    .object({
      changes: z.array(Change).describe("The changes of this page."),
      cursor: z.string().describe("Where the next request continues. An opaque string."),
      has_more: z.boolean().describe("Whether there are more changes now. If so, request them right away."),
    })
    .meta({ id: "ChangeList", description: "Changes since a cursor." }),
  async handle({ read, seen, query, workspace }) {
    const page = await changedArticles(read, seen, {
      workspaceId: workspace.id,
      after: query.after,
      limit: query.page_size,
    });
    if (!page) throw new HttpError("cursor_expired", EXPIRED);
    const ids = page.changes.filter(({ removed }) => !removed).map(({ id }) => id);
    const filter = {
      workspaceId: workspace.id,
      ids,
      withText: query.include === "content",
      limit: ids.length,
      offset: 0,
    };
    const { articles } = ids.length > 0 ? await listArticles(read, filter, seen) : { articles: [] };
    const urls = urlsOf(workspace);
    const visibilityOf = await visibilities(read, workspace, seen);
    const items = new Map(articles.map((article) => [article.id, articleItemShape(article, urls, visibilityOf)]));
    return {
      changes: page.changes.map(({ id, changedAt, removed }) => ({
        article_id: id,
        changed_at: changedAt.toISOString(),
        removed,
        article: items.get(id) ?? null,
      })),
      cursor: page.cursor,
      has_more: page.more,
    };
  },
});

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route({ GET: listChanges });
