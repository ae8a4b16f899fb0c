import type { DocumentedVersion } from "@/lib/api/openapi";
import { paths } from "./operations";

/** The description of a version. Errors of v1 have no code. */
export const describe = (hasCodes: boolean) => `## Requests

Send every request to the workspace's own URL, with one of its keys in the \`X-Api-Key\` header. Keys that are missing,
unknown, revoked, expired, or from another workspace all get the same 401. A key in the query string is ignored. The
host, the path, and the method are checked before the key.

A key's scopes determine what it can do. Each operation lists the scope it needs under \`security\`. A key without that scope gets
a 403 that names the scope. \`content.read\` includes \`public\`, which reads what visitors see:
published articles in public categories, without emails and views.

Unknown parameters are ignored, and an empty parameter counts as absent. A parameter that is sent twice is refused.
${hasCodes ? "Unknown fields are refused, except when you update a team member." : "Unknown fields are ignored."} A URL can be
up to 8 KB long. A body can have up to 64 KiB, unless the operation allows more.

## Responses

Bodies are JSON, including errors. \`error\` says what happened and what to do.
${hasCodes ? "`code` is for programs and never changes. The `ErrorCode` schema lists all codes.\n" : ""}\
A 422 also has \`details\` with every invalid parameter or field. An ID from another workspace gets the same
response as an unknown ID. Times are UTC, such as \`2026-01-31T09:30:00.000Z\`. Within a version, fields and values can be
added but are never removed, so ignore those you don't know.

Every path with \`GET\` also supports \`HEAD\`, which returns no body. Every path supports \`OPTIONS\`, which returns 204 with the
methods of the path in \`Allow\` and needs no key. Any other method returns 405 with \`Allow\`, and an unknown path returns 404.
Requests that are not valid HTTP get a 400, those that take over a minute to arrive a 408, and those with headers over
64 KB a 431. Then the connection is closed.

## Lists

Most lists have numbered pages: \`page_number\` starts at 1, and \`page_size\` can be up to 100. As long as the list doesn't
change, no item is repeated or skipped. Request the next page while \`pagination.current_page_number\` is below
\`pagination.total_pages\`.${hasCodes ? " Changes and the audit log have a \`cursor\` instead." : ""}

## Limits

A key can send 600 requests per minute, at most 120 of them searches and 120 of them writes, unless the installation
sets other limits. \`RateLimit\` and \`RateLimit-Policy\` show the current state. A 429 or 503 says in \`Retry-After\` how
many seconds to wait.

## Conditional requests

Every successful response to a \`GET\` has an \`ETag\`. If you send the \`ETag\` in \`If-None-Match\` and nothing has changed,
the response is a 304. If you send the \`ETag\` in \`If-Match\` with a change and the resource itself has changed, the
response is a 412. Changes to other resources in the response, such as an article's neighbors, don't count.

## Idempotency

If you don't know whether a change was made, for example because the connection broke, send the request again with the
same \`Idempotency-Key\`. The change is made only once, and the response is the first one again, with
\`Idempotency-Replayed: true\`. While the first request is still running, the response is a 409. A different request with
the same \`Idempotency-Key\` gets a 422. An \`Idempotency-Key\` is kept for 24 hours, separately for each API key, and only
after a success, so you can correct a refused request and send it with the same \`Idempotency-Key\`.

## This document

\`GET /openapi.json\` returns this document with the workspace's URL and needs no key.`;

export const tags = [
  { name: "Categories", description: "The tree of categories that organizes articles." },
  { name: "Articles", description: "Drafts and published articles, with their text." },
  { name: "Files", description: "Images and other files for articles." },
  { name: "Tags", description: "Words that group articles across categories." },
  { name: "Search", description: "Full-text search of published articles." },
  { name: "Redirects", description: "Redirects from old URLs of the knowledge base." },
  { name: "Synonyms", description: "Words that search treats as the same." },
  { name: "Webhooks", description: "URLs to which events are sent as they happen." },
  { name: "Team members", description: "The people who work on the knowledge base." },
  { name: "Invitations", description: "People who were invited and haven't accepted yet." },
  {
    name: "Insights",
    description: "Article views, searches, and feedback, without anything that identifies a reader.",
  },
  { name: "Audit log", description: "Every recorded change, with its actor and time." },
  { name: "Workspace", description: "The knowledge base itself and the API key you use." },
];

export const version: DocumentedVersion = {
  basePath: "/api/external/v2",
  info: {
    title: "Lectern external API",
    version: "2.0",
    summary: "Read, search, and write a knowledge base, and keep its team members up to date.",
    description: describe(true),
  },
  tags,
  paths,
};
