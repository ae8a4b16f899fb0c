import { z } from "zod";
import { Pagination, Paging, paginationOf, windowOf } from "@/lib/api/input";
import type { ApiKey } from "@/lib/api/keys";
import { created, readOperation, writeOperation } from "@/lib/api/operation";
import { route } from "@/lib/api/route";
import { allows } from "@/lib/api-keys/scopes";
import { listArticles as list } from "@/lib/articles/articles";
import { createArticle } from "@/lib/articles/write-article";
import { InvalidError } from "@/lib/errors";
import { ArticleItem, ArticleState, articleItemShape, Include } from "../_shapes/article";
import { WrittenAnswer } from "../_shapes/article-answer";
import { aNewArticle, anArticleItem, aPage } from "../_shapes/examples";
import { SearchTerm } from "../_shapes/search-term";
import { urlsOf } from "../_shapes/urls";
import { visibilities } from "../_shapes/visibility";
import {
  createTogether,
  ExternalId,
  groupOf,
  NewFields,
  newInputOf,
  preparedChange,
  TEXT_LIMIT,
  Title,
  wishesOf,
  writing,
  writtenAnswer,
} from "./_writing";

const listArticles = readOperation({
  operationId: "listArticles",
  tag: "Articles",
  summary: "List articles",
  description:
    "Lists drafts and published articles, newest first unless `sort_by` is set. A key without the `content.read` scope sees only the published articles that visitors see. If you send several filters, articles must match all of them. To rank articles by relevance and highlight matches, use `GET /search` instead.",
  returns: "One page of articles.",
  example: { articles: [anArticleItem], pagination: { ...aPage, page_size: 100 } },
  scope: "public",
  keeps: () => true,
  isSlow: ({ search_term }) => search_term !== undefined,
  params: z.object({}),
  query: Paging.extend({
    category_id: z
      .guid({ error: "category_id must be the ID of a category, which is a UUID." })
      .optional()
      .meta({
        description: "Only articles in this category, without its subcategories. An unknown ID returns an empty list.",
        examples: ["6a3d8e2f-9b5c-4d7e-8f10-2b3c4d5e6f70"],
      }),
    state: ArticleState.optional().meta({
      description: "Only articles in this state. Default: both states.",
      examples: ["published"],
    }),
    search_term: SearchTerm.optional().meta({
      description:
        "Only articles that have all of these words, or longer words that begin with them, in the title or text. The order does not change, and spelling is not corrected.",
      examples: ["password"],
    }),
    updated_since: z.iso
      .datetime({
        offset: true,
        error: "updated_since must be a time with an offset, such as 2026-01-31T09:30:00Z. Encode + as %2B.",
      })
      .transform((time) => new Date(time))
      .optional()
      .meta({
        description:
          "Only articles whose `updated_at` is this time or later. An import can set `updated_at` to a time in the past, so use `GET /changes` to keep a copy up to date.",
        override: { type: "string", format: "date-time", examples: ["2026-01-31T09:30:00Z"] },
      }),
    tag: z
      .string()
      .optional()
      .meta({
        description: "Only articles with this tag, ignoring case. An unknown tag returns an empty list.",
        examples: ["security"],
      }),
    author_email: z
      .string()
      .optional()
      .meta({
        description: "Only articles whose author has this email, ignoring case. Requires the `members.read` scope.",
        examples: ["ada@example.com"],
      }),
    external_id: z
      .string()
      .trim()
      .optional()
      .meta({
        description: "Only the article with this ID in your system. Requires the `content.read` scope.",
        examples: ["docs/reset-your-password.md"],
      }),
    has_draft: z
      .enum(["true", "false"], { error: "has_draft must be true or false." })
      .transform((value) => value === "true")
      .optional()
      .meta({
        description:
          "`true`: only articles with a draft, published or not. `false`: only articles without a draft. Requires the `content.read` scope.",
        override: ({ jsonSchema }: { jsonSchema: Record<string, unknown> }) => {
          delete jsonSchema.enum;
          Object.assign(jsonSchema, { type: "boolean", examples: [true] });
        },
      }),
    sort_by: z
      .enum(["created_at", "updated_at", "title", "unique_views_count"], {
        error: "sort_by must be created_at, updated_at, title, or unique_views_count.",
      })
      .optional()
      .meta({
        description:
          "The field to sort by. Default: `created_at`. `unique_views_count` requires the `content.read` scope.",
        examples: ["updated_at"],
      }),
    order_by: z
      .string()
      .toUpperCase()
      .pipe(z.enum(["ASC", "DESC"], { error: "order_by must be ASC or DESC." }))
      .optional()
      .meta({
        description: "The sort direction, ignoring case. Default: `ASC` for `title`, otherwise `DESC`.",
        examples: ["DESC"],
        override: { enum: ["ASC", "DESC"] },
      }),
    include: Include,
  }),
  response: z
    .object({ articles: z.array(ArticleItem).describe("The articles of this page."), pagination: Pagination })
    .meta({ id: "ArticleList", description: "One page of articles." }),
  async handle({ read, seen, key, query, workspace }) {
    refuseHidden(key, query);
    const filter = {
      workspaceId: workspace.id,
      category: query.category_id,
      state: query.state,
      searchText: query.search_term,
      updatedSince: query.updated_since,
      tag: query.tag,
      authorEmail: query.author_email,
      externalId: query.external_id,
      hasDraft: query.has_draft,
      sort: query.sort_by,
      direction: query.order_by,
      withText: query.include === "content",
      ...windowOf(query),
    };
    const urls = urlsOf(workspace);
    const { articles, total } = await list(read, filter, seen);
    const visibilityOf = await visibilities(read, workspace, seen);
    return {
      articles: articles.map((article) => articleItemShape(article, urls, visibilityOf)),
      pagination: paginationOf(query, total),
    };
  },
});

/** The scopes of filters by what visitors don't see. */
const filterScopes = { author_email: "members.read", external_id: "content.read", has_draft: "content.read" } as const;

function refuseHidden({ scopes }: ApiKey, query: Partial<Record<keyof typeof filterScopes, unknown>>): void {
  const refused = Object.entries(filterScopes)
    .filter(([field, scope]) => query[field as keyof typeof filterScopes] !== undefined && !allows(scopes, scope))
    .map(([field, scope]) => {
      const message = `${field} needs the ${scope} scope. Use a key that has it, or omit ${field}.`;
      return { field, code: "not_allowed" as const, message };
    });
  if (refused.length > 0) throw new InvalidError(refused);
}

const createOperation = writeOperation({
  operationId: "createArticle",
  tag: "Articles",
  summary: "Create an article",
  description:
    "Creates an article at the end of its category. The article is a draft unless `state` is `published`. Send an `Idempotency-Key` so that a repeated request doesn't create a second article. To create or update articles by your own IDs, use `PUT /articles/by-external-id/{external_id}`.",
  returns: "The new article.",
  example: aNewArticle,
  invalid: { field: "title", code: "required", message: "title can't be empty." },
  scope: "content.draft",
  noStore: true,
  creates: "always",
  params: z.object({}),
  query: z.object({}),
  body: z
    .object({
      title: Title,
      ...NewFields,
      external_id: ExternalId.optional().meta({
        description: "The ID of the article in your system, unique in the workspace.",
        examples: ["docs/reset-your-password.md"],
      }),
      state: ArticleState.default("draft").meta({
        description: "The state of the new article. `published` requires the `content.publish` scope.",
        mistakenFor: ["publish"],
        examples: ["draft"],
      }),
    })
    .meta({
      id: "NewArticle",
      description:
        "A new article. Send either `html_content` or `markdown_content`, and either `category_id` or `category_path`.",
    }),
  bodyLimit: TEXT_LIMIT,
  response: WrittenAnswer,
  prepare: (input) => {
    const publish = input.body.state === "published";
    return preparedChange({ ...input, body: { ...input.body, publish } }, "text");
  },
  async handle(input) {
    const { db, body, prepared, actor } = input;
    const wishes = wishesOf(input, body.state === "published");
    const written = await writing(async () => createArticle(db, await newInputOf(input, body), wishes, actor), {
      isMarkdown: body.markdown_content !== undefined,
    });
    return created(await writtenAnswer(input, written, prepared), `/articles/${written.id}`);
  },
  shared: {
    group: (input) => groupOf(input, input.body.state === "published"),
    handle: (inputs, db) => createTogether(inputs, db, inputs[0]?.body.state === "published"),
  },
});

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route({ GET: listArticles, POST: createOperation });
