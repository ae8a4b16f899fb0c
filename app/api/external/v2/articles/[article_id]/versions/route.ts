import { z } from "zod";
import { notFound } from "@/lib/api/errors";
import { Pagination, Paging, paginationOf, windowOf } from "@/lib/api/input";
import { readOperation } from "@/lib/api/operation";
import { route } from "@/lib/api/route";
import { findArticleId } from "@/lib/articles/articles";
import { listVersions } from "@/lib/articles/versions";
import { VersionItem, versionShape } from "../../../_shapes/draft";
import { aPage, aVersion } from "../../../_shapes/examples";
import { ArticleName } from "../../_writing";

const listOperation = readOperation({
  operationId: "listVersions",
  tag: "Articles",
  summary: "List versions",
  description:
    "Lists an article's versions, newest first. Published and imported versions are kept permanently. Autosaves are kept while they are among the newest 50. Autosaves by programs are kept for at least a day.",
  returns: "One page of versions.",
  example: { versions: [aVersion], pagination: aPage },
  scope: "content.read",
  params: z.object({ article_id: ArticleName }),
  query: Paging,
  response: z
    .object({ versions: z.array(VersionItem).describe("The versions of this page."), pagination: Pagination })
    .meta({ id: "VersionList", description: "One page of versions." }),
  async handle({ read, params, query }) {
    const id = await findArticleId(read, params.article_id);
    if (!id) throw notFound();
    const { versions, total } = await listVersions(read, id, windowOf(query));
    return { versions: versions.map(versionShape), pagination: paginationOf(query, total) };
  },
});

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route({ GET: listOperation });
