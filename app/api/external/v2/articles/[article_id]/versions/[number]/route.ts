import { z } from "zod";
import { notFound } from "@/lib/api/errors";
import { readOperation } from "@/lib/api/operation";
import { route } from "@/lib/api/route";
import { findArticleId } from "@/lib/articles/articles";
import { findVersion } from "@/lib/articles/versions";
import { VersionDetails, versionDetails } from "../../../../_shapes/draft";
import { aVersionWithText } from "../../../../_shapes/examples";
import { urlsOf } from "../../../../_shapes/urls";
import { ArticleName, VersionNumber } from "../../../_writing";

const getVersion = readOperation({
  operationId: "getVersion",
  tag: "Articles",
  summary: "Get a version",
  description: "Returns a version of an article with its text.",
  returns: "The version with its text.",
  example: { version: aVersionWithText },
  scope: "content.read",
  params: z.object({ article_id: ArticleName, number: VersionNumber }),
  query: z.object({}),
  response: z.object({ version: VersionDetails }).meta({ id: "VersionAnswer", description: "One version." }),
  async handle({ read, params, workspace }) {
    const id = await findArticleId(read, params.article_id);
    const version = id && (await findVersion(read, id, params.number));
    if (!version) throw notFound();
    return { version: versionDetails(version, urlsOf(workspace)) };
  },
});

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route({ GET: getVersion });
