import type { DocumentedVersion } from "@/lib/api/openapi";
import { paths } from "./operations";

/** The description of both versions. */
export const common = `## Requests

Every request goes to the workspace's own address and carries one of its keys in the header \`X-Api-Key\`. A key that is
missing, unknown, revoked, expired or another workspace's is answered with the same 401; a key in the query is not read.
The host, the path and the method are checked before the key is.

Unknown parameters and fields are ignored, and an empty parameter counts as left out. A parameter that is given twice is
refused. The address has at most 8 KB, a body at most 64 KiB.

## Answers

Bodies are JSON, errors too: \`{ "error": "…" }\` says in a sentence what happened and what to do, and a 422 adds
\`details\` with every parameter or field that cannot be used. Another workspace's id is answered as one that never was.
Times are UTC, such as \`2026-01-31T09:30:00.000Z\`. Within a version, fields and values may be added, never taken away:
ignore what you do not know.

Every path also answers \`HEAD\`, as \`GET\` without the body, and \`OPTIONS\`, with 204 and the methods of the path in
\`Allow\`, for which it asks no key. Any other method is answered with 405 and \`Allow\`; an unknown path with 404.
What is no HTTP request at all, takes over a minute to arrive or has headers over 64 KB gets a 400, 408 or 431, and the
connection ends.

## Lists

Lists come in pages: \`page_number\` from 1, \`page_size\` up to 100. Their order is total, so that paging never repeats
or drops. Go on while \`pagination.current_page_number\` is below \`pagination.total_pages\`.

## Limits

A key may send 600 requests a minute, 120 of them searches, unless this installation says otherwise. \`RateLimit\` and
\`RateLimit-Policy\` say where it stands. A 429 or a 503 says in \`Retry-After\` how many seconds to wait.

## Conditional requests

Every \`GET\` has an \`ETag\`. Sent back in \`If-None-Match\`, it is answered with 304 when nothing has changed; sent in
\`If-Match\`, it makes a \`PATCH\` fail with 412 when somebody else has changed the thing since.

## This document

\`GET /openapi.json\` answers this document with the workspace's own address, without a key.`;

export const tags = [
  { name: "Categories", description: "The tree that articles are in." },
  { name: "Articles", description: "Drafts and published articles, with their text." },
  { name: "Search", description: "Full-text search over what is published." },
  { name: "Team members", description: "Who works on the knowledge base." },
  { name: "Workspace", description: "The knowledge base itself, and the key you use." },
];

export const version: DocumentedVersion = {
  basePath: "/api/external/v2",
  info: {
    title: "Lectern external API",
    version: "2.0",
    summary: "Reads a knowledge base, searches it, and keeps its team members up to date.",
    description: common,
  },
  tags,
  paths,
};
