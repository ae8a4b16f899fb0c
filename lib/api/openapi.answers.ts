import { z } from "zod";
import type { ZodOpenApiResponseObject } from "zod-openapi";
import { type InvalidField, UnavailableError } from "@/lib/errors";
import { httpErrorOf, notFound, unauthorized } from "./errors";
import type { Operation } from "./operation";

const ErrorBody = z
  .object({ error: z.string().describe("What happened and what to do, in one or more sentences.") })
  .meta({ id: "Error", description: "The body of every error but 422." });

const ValidationErrorBody = z
  .object({
    error: z.string().describe("What is wrong, in one or more sentences: the messages of all details."),
    details: z
      .array(
        z
          .object({
            field: z.string().describe("The parameter of the query, or the field of the body."),
            code: z
              .enum(["required", "invalid", "taken", "too_long", "not_found", "not_allowed"])
              .describe("What kind of failure it is, for programs."),
            message: z.string().describe("What is wrong with it, for people."),
          })
          .meta({ id: "InvalidField", description: "One parameter or field that cannot be used." }),
      )
      .describe("Every parameter or field that cannot be used, each once."),
  })
  .meta({ id: "ValidationError", description: "The body of a 422: nothing was changed." });

const text = (description: string, example: string, required = true) => ({
  description,
  required,
  schema: { type: "string" as const, examples: [example] },
});

const seconds = (description: string, example: number) => ({
  description,
  required: true,
  schema: { type: "integer" as const, minimum: 1, examples: [example] },
});

/** The headers of answers. `Allow` is missing because it belongs to paths, not to operations. */
export const headerComponents = {
  "X-Request-Id": text(
    "Names this request in our logs: the one that was sent, when it has 1 to 100 letters, digits and any of `_.:-`, else a new one.",
    "0b9f5f1e-6a0c-4c39-9d5e-2f6f3f1f7f10",
  ),
  "X-Content-Type-Options": text("Always `nosniff`.", "nosniff"),
  "Cache-Control": text(
    "Whether the answer may be kept, and that it is asked for again with `If-None-Match` before it is used.",
    "private, max-age=0, must-revalidate",
  ),
  Vary: text("Names the request headers that the answer depends on: the key is one.", "X-Api-Key"),
  ETag: text(
    "Names this state of the answer, for `If-None-Match` and `If-Match`. Always a weak one.",
    'W/"Kq5sNclPz7QV2-lfIqYXUw8cIDM"',
  ),
  RateLimit: text(
    "What is left of each limit, `r`, and in how many seconds it begins anew, `t`. Absent where an installation has turned its limits off.",
    '"key";r=598;t=41',
    false,
  ),
  "RateLimit-Policy": text(
    "Each limit that counts here: `q` requests in `w` seconds. Absent where an installation has turned its limits off.",
    '"key";q=600;w=60',
    false,
  ),
  "Retry-After": seconds("In how many seconds to ask again.", 2),
  "WWW-Authenticate": text("How to authenticate: with a key.", 'ApiKey realm="external API"'),
  "Accept-Patch": text("The content types that a change may have.", "application/json, application/merge-patch+json"),
  Link: text(
    "The address of the same thing in the next version.",
    '<https://docs.example.com/api/external/v2/me>; rel="successor-version"',
  ),
};

type HeaderName = keyof typeof headerComponents;

const everywhere: HeaderName[] = ["X-Request-Id", "X-Content-Type-Options", "Cache-Control", "Vary"];
const limits: HeaderName[] = ["RateLimit-Policy", "RateLimit"];

export function commonAnswers(hasSuccessor: boolean) {
  const headersOf = (names: HeaderName[]) => {
    const all = [...everywhere, ...names, ...(hasSuccessor ? (["Link"] as const) : [])];
    return Object.fromEntries(all.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
  };
  const json = (description: string, headers: HeaderName[], schema: z.ZodType, example: unknown) => ({
    description,
    headers: headersOf(headers),
    content: { "application/json": { schema, example } },
  });
  const error = (id: string, description: string, headers: HeaderName[], sentence: string) => ({
    id,
    ...json(description, headers, ErrorBody, { error: sentence }),
  });
  const tooMany = (id: string, which: string) =>
    error(
      id,
      `The key has used up a limit${which}: \`RateLimit\` says where it stands. Or too many refused keys came from this client's address; then there is no \`RateLimit\`.`,
      ["Retry-After", ...limits],
      "This key may send 600 requests a minute: go on in 41 seconds.",
    );
  const badAddress = "The address is not properly percent-encoded, or holds a NUL";
  const noWorkspace = "There is no workspace at this host";

  return {
    json,
    notModified: {
      id: "NotModified",
      description: "Nothing has changed since the answer whose `ETag` was sent in `If-None-Match`. There is no body.",
      headers: headersOf(["ETag", ...limits]),
    },
    badAddress: error(
      "BadAddress",
      `${badAddress}.`,
      [],
      "The address is not properly percent-encoded: encode it as UTF-8, without NUL.",
    ),
    badRequest: error(
      "BadRequest",
      `${badAddress}; or the body is not a JSON object.`,
      limits,
      "The body is not valid JSON: send one JSON object.",
    ),
    unauthorized: error(
      "Unauthorized",
      "The key is missing, malformed, unknown, revoked, expired, or another workspace's: the answer is the same for all.",
      ["WWW-Authenticate"],
      unauthorized().message,
    ),
    forbidden: error(
      "Forbidden",
      "The key may only read.",
      limits,
      "This API key may only read: use a key with the permission read_write.",
    ),
    noWorkspace: error(
      "WorkspaceNotFound",
      `${noWorkspace}.`,
      [],
      "Workspace not found: check the subdomain in the address.",
    ),
    notFound: error("NotFound", `${noWorkspace}, or nothing of it has this id.`, limits, notFound().message),
    notAcceptable: error(
      "NotAcceptable",
      "The `Accept` header excludes JSON.",
      limits,
      "This API answers JSON only: send Accept: application/json, or no Accept header.",
    ),
    preconditionFailed: error(
      "PreconditionFailed",
      "The thing has changed since the answer whose `ETag` was sent in `If-Match`. Nothing was changed now.",
      limits,
      "The resource has changed since it was read: read it again, then send the change.",
    ),
    bodyTooLarge: error("BodyTooLarge", "The body is over 64 KiB.", limits, "The body is over 64 KiB: send less."),
    addressTooLong: error(
      "AddressTooLong",
      "The address is over 8 KB.",
      [],
      "The address is over 8 KB: send less in it.",
    ),
    notJson: error(
      "UnsupportedMediaType",
      "The body is not called JSON by its `Content-Type`.",
      ["Accept-Patch", ...limits],
      "The body must be JSON: send Content-Type: application/json.",
    ),
    tooManyRequests: tooMany("TooManyRequests", ""),
    tooManySearches: tooMany("TooManySearches", ", of all requests or of searches"),
    failed: error(
      "ServerError",
      "Something went wrong on our side.",
      limits,
      httpErrorOf(new Error(), () => {}).message,
    ),
    unavailable: error(
      "Unavailable",
      "The service is busy or restarting. Nothing was changed.",
      ["Retry-After", ...limits],
      httpErrorOf(new UnavailableError(), () => {}).message,
    ),
  };
}

const pageNumberInvalid: InvalidField = {
  field: "page_number",
  code: "invalid",
  message: "page_number must be a whole number from 1 to 2147483647.",
};

export function answersOf(
  common: ReturnType<typeof commonAnswers>,
  method: "GET" | "PATCH",
  path: string,
  { query, search, returns, response, example, ...spec }: Operation["spec"],
): Record<`${number}`, ZodOpenApiResponseObject> {
  const reads = method === "GET";
  const invalid = spec.invalid ?? ("page_number" in query.shape ? pageNumberInvalid : undefined);
  return {
    200: common.json(returns, [...(reads ? (["ETag"] as const) : []), ...limits], response, example),
    ...(reads && { 304: common.notModified }),
    400: reads ? common.badAddress : common.badRequest,
    401: common.unauthorized,
    ...(!reads && { 403: common.forbidden }),
    404: path.includes("{") ? common.notFound : common.noWorkspace,
    406: common.notAcceptable,
    ...(!reads && { 412: common.preconditionFailed, 413: common.bodyTooLarge }),
    414: common.addressTooLong,
    ...(!reads && { 415: common.notJson }),
    ...(invalid && {
      422: common.json(
        `Something that was sent cannot be used: every ${reads ? "parameter" : "field"} that cannot is named.`,
        limits,
        ValidationErrorBody,
        { error: invalid.message, details: [invalid] },
      ),
    }),
    429: search ? common.tooManySearches : common.tooManyRequests,
    500: common.failed,
    503: common.unavailable,
  };
}
