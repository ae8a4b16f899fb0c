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
  ConflictFields,
  draftConflicts,
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
    "Returns the text of an article that is being written, which readers don't see. If there is none, it returns the live text, with `has_draft: false`.",
  returns: "The draft, and its revision for a later change.",
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
    "Discards the unpublished changes of a published article. Their text is kept as a version, and a schedule ends. If there are none, nothing changes. An article that was never published is refused with 422, because its draft is all there is.",
  returns: "The article, which has no draft now.",
  example: { ...aWrittenArticle, warnings: [] },
  invalid: {
    field: "article_id",
    code: "not_allowed",
    message: "This article was never published, so its draft is all there is. Delete the article instead.",
  },
  refusals: draftConflicts,
  scope: "content.draft",
  noStore: true,
  params,
  query: z.object({}),
  body: z.object(ConflictFields).meta({ id: "DraftRemoval", description: "What to discard." }),
  isBodyOptional: true,
  response: WrittenAnswer,
  async handle(input) {
    const { db, params, actor } = input;
    const id = await idOf(db, params.article_id);
    return writtenAnswer(input, await writing(() => discardChanges(db, id, expectedOf(input), actor)));
  },
});

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route({ GET: getDraft, DELETE: discardDraft });
