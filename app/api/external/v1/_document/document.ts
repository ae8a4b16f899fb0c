import { former } from "@/app/api/external/v1/_shapes/former";
import { describe, version as next, tags } from "@/app/api/external/v2/_document/document";
import type { DocumentedVersion } from "@/lib/api/openapi";
import { paths } from "./operations";

export const version: DocumentedVersion = {
  basePath: "/api/external/v1",
  info: {
    ...next.info,
    version: "1.0",
    description: `This is the first version. Its successor is v2, which has the same operations with hyphens in its paths
(\`/team-members\`), plus more operations and response fields. Every response has the URL of the same resource in v2 in
\`Link: <…>; rel="successor-version"\`. Nothing here is deprecated, but new programs should use v2.

${describe(false)}`,
  },
  tags: tags.filter(
    ({ name }) =>
      !["Files", "Tags", "Redirects", "Synonyms", "Webhooks", "Invitations", "Audit log", "Insights"].includes(name),
  ),
  paths,
  former,
};
