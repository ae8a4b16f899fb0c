import { z } from "zod";
import { readOperation, writeOperation } from "@/lib/api/operation";
import { route } from "@/lib/api/route";
import { discardChanges } from "@/lib/articles/write-article";
import { WrittenAnswer } from "../../../_shapes/article-answer";
import { DraftAnswer, draftAnswer } from "../../../_shapes/draft";
import { aDraft, aWrittenArticle } from "../../../_shapes/examples";
import { urlsOf } from "../../../_shapes/urls";
import {
  ArticleName,
  DiscardFields,
  discardConflicts,
  expectedOf,
  idOf,
  openedDraft,
  writing,
  writtenAnswer,
} from "../../_writing";

const params = z.object({ article_id: ArticleName });

const getDraft = readOperation({
  operationId: "getDraft",
  tag: "Articles",
  summary: "Get a draft",
  description:
    "Returns an article's draft, which readers don't see. Without a draft, returns the live text with `has_draft: false`.",
  returns: "The draft and its revision.",
  example: aDraft,
  scope: "content.read",
  params,
  query: z.object({}),
  response: DraftAnswer,
  handle: async ({ read, params, workspace }) =>
    draftAnswer(await openedDraft(read, params.article_id), urlsOf(workspace)),
});

const discardDraft = writeOperation({
  operationId: "discardDraft",
  tag: "Articles",
  summary: "Discard a draft",
  description:
    "Discards the unpublished changes of a published article and cancels its schedule. The discarded text is kept as a version. Without a draft, nothing changes. If the article isn't published, the response is a 422, because the draft is its only text.",
  returns: "The article, now without a draft.",
  example: aWrittenArticle,
  invalid: {
    field: "article_id",
    code: "not_allowed",
    message: "This article isn't published, so the draft is its only text. To remove the text, delete the article.",
  },
  refusals: discardConflicts,
  scope: "content.draft",
  noStore: true,
  params,
  query: z.object({}),
  body: z.object(DiscardFields).meta({ id: "DraftRemoval", description: "How to discard a draft." }),
  isBodyOptional: true,
  response: WrittenAnswer,
  async handle(input) {
    const { db, params, actor } = input;
    const id = await idOf(db, params.article_id);
    return writtenAnswer(input, await writing(() => discardChanges(db, id, expectedOf(input), actor)));
  },
});

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route({ GET: getDraft, DELETE: discardDraft });
