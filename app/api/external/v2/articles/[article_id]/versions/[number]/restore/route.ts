import { z } from "zod";
import { notFound } from "@/lib/api/errors";
import { writeOperation } from "@/lib/api/operation";
import { route } from "@/lib/api/route";
import { findArticleId } from "@/lib/articles/articles";
import { restoreToDraft, versionToRestore } from "@/lib/articles/restore-version";
import { readWorkspace } from "@/lib/db";
import { WrittenAnswer } from "../../../../../_shapes/article-answer";
import { aWrittenArticle } from "../../../../../_shapes/examples";
import {
  ArticleName,
  expectedOf,
  RestoreFields,
  restoreConflicts,
  VersionNumber,
  writing,
  writtenAnswer,
} from "../../../../_writing";

const restoreVersion = writeOperation({
  operationId: "restoreVersion",
  tag: "Articles",
  summary: "Restore a version",
  description:
    "Makes a version the article's draft, which readers don't see until it is published. The draft it replaces is kept as a version. Related articles and attachments stay the same.",
  returns: "The article with its new draft.",
  example: { ...aWrittenArticle, has_draft: true },
  invalid: { field: "revision", code: "invalid", message: "revision must be a number from an earlier response." },
  refusals: restoreConflicts,
  scope: "content.draft",
  noStore: true,
  params: z.object({ article_id: ArticleName, number: VersionNumber }),
  query: z.object({}),
  body: z.object(RestoreFields).meta({ id: "VersionRestoration", description: "How to restore a version." }),
  isBodyOptional: true,
  response: WrittenAnswer,
  async prepare({ workspace, params }) {
    const id = await readWorkspace(workspace.id, (read) => findArticleId(read, params.article_id));
    const found = id && (await versionToRestore(workspace.id, id, params.number));
    if (!id || !found) throw notFound();
    return { id, ...found };
  },
  async handle(input) {
    const { db, prepared, actor } = input;
    return writtenAnswer(input, await writing(() => restoreToDraft(db, prepared, expectedOf(input), actor)));
  },
});

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route({ POST: restoreVersion });
