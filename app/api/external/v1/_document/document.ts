import { successor } from "@/app/api/external/v1/_shapes/successor";
import { common, version as next, tags } from "@/app/api/external/v2/_document/document";
import type { DocumentedVersion } from "@/lib/api/openapi";
import { paths } from "./operations";

export const version: DocumentedVersion = {
  basePath: "/api/external/v1",
  info: {
    ...next.info,
    version: "1.0",
    description: `This is the first version. Its successor is v2: the same operations with the same answers, with hyphens
in their paths (\`/team-members\`). Every answer names the address of the same thing in v2, in
\`Link: <…>; rel="successor-version"\`. Nothing here is deprecated; new programs use v2.

${common}`,
  },
  tags,
  paths,
  successor,
};
