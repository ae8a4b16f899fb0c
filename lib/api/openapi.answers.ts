import { z } from "zod";
import type { ZodOpenApiResponseObject } from "zod-openapi";
import { type InvalidField, UnavailableError } from "@/lib/errors";
import { forbidden, httpErrorOf, notFound, unauthorized } from "./errors";
import type { Operation } from "./operation";

const ErrorBody = z
  .object({ error: z.string().describe("A message that says what happened and what to do.") })
  .meta({ id: "Error", description: "The body of every error except 422." });

const ValidationErrorBody = z
  .object({
    error: z.string().describe("The messages of all details, joined."),
    details: z
      .array(
        z
          .object({
            field: z.string().describe("The name of the query parameter or body field."),
            code: z
              .enum(["required", "invalid", "taken", "too_long", "not_found", "not_allowed"])
              .describe("The kind of error, for programs."),
            message: z.string().describe("The error, for people."),
          })
          .meta({ id: "InvalidField", description: "A parameter or field that was refused." }),
      )
      .describe("Every refused parameter or field, each listed once."),
  })
  .meta({ id: "ValidationError", description: "The body of a 422. Nothing was changed." });

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
    "The id of this request in our logs. It is the one you sent, if that has 1 to 100 letters, digits or any of `_.:-`, otherwise a new one.",
    "0b9f5f1e-6a0c-4c39-9d5e-2f6f3f1f7f10",
  ),
  "X-Content-Type-Options": text("Always `nosniff`.", "nosniff"),
  "Cache-Control": text(
    "Whether the response may be cached. Cached copies must be revalidated with `If-None-Match` before use.",
    "private, max-age=0, must-revalidate",
  ),
  Vary: text("The request headers that the response depends on, such as the key.", "X-Api-Key"),
  ETag: text(
    "The version of this response, for `If-None-Match` and `If-Match`. Always a weak ETag.",
    'W/"Kq5sNclPz7QV2-lfIqYXUw8cIDM"',
  ),
  RateLimit: text(
    "The remaining requests of each limit (`r`) and the seconds until it resets (`t`). Absent if the installation has turned its limits off.",
    '"key";r=598;t=41',
    false,
  ),
  "RateLimit-Policy": text(
    "Each limit that applies: `q` requests in `w` seconds. Absent if the installation has turned its limits off.",
    '"key";q=600;w=60',
    false,
  ),
  "Retry-After": seconds("The number of seconds to wait before the next request.", 2),
  "WWW-Authenticate": text("How to authenticate.", 'ApiKey realm="external API"'),
  "Accept-Patch": text(
    "The content types that a request body can have.",
    "application/json, application/merge-patch+json",
  ),
  Link: text(
    "The URL of the same resource in the next version.",
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
      `The key has used up a limit${which}. \`RateLimit\` has the details. Without \`RateLimit\`, too many invalid keys came from this client's IP address.`,
      ["Retry-After", ...limits],
      "This key can send 600 requests per minute. Try again in 41 seconds.",
    );
  const badAddress = "The URL is not properly percent-encoded or contains a NUL character";
  const noWorkspace = "No workspace has this host";

  return {
    json,
    notModified: {
      id: "NotModified",
      description: "Nothing has changed since the response whose `ETag` you sent in `If-None-Match`. There is no body.",
      headers: headersOf(["ETag", ...limits]),
    },
    badAddress: error(
      "BadAddress",
      `${badAddress}.`,
      [],
      "The URL is not properly percent-encoded. Encode it as UTF-8, without NUL characters.",
    ),
    badRequest: error(
      "BadRequest",
      `${badAddress}, or the body is not a JSON object.`,
      limits,
      "The body is not valid JSON. Send one JSON object.",
    ),
    unauthorized: error(
      "Unauthorized",
      "The key is missing, malformed, unknown, revoked, expired, or belongs to another workspace. The response is the same for all of these.",
      ["WWW-Authenticate"],
      unauthorized().message,
    ),
    forbidden: (scope: string) =>
      json(`The key does not have the scope \`${scope}\`.`, limits, ErrorBody, { error: forbidden(scope).message }),
    noWorkspace: error(
      "WorkspaceNotFound",
      `${noWorkspace}.`,
      [],
      "Workspace not found. Check the subdomain in the URL.",
    ),
    notFound: error(
      "NotFound",
      `${noWorkspace}, or the workspace has nothing with this id.`,
      limits,
      notFound().message,
    ),
    notAcceptable: error(
      "NotAcceptable",
      "The `Accept` header excludes JSON.",
      limits,
      "This API only returns JSON. Send Accept: application/json, or no Accept header.",
    ),
    gone: ({ description, message }: { description: string; message: string }) =>
      json(description, limits, ErrorBody, { error: message }),
    preconditionFailed: error(
      "PreconditionFailed",
      "The resource has changed since the response whose `ETag` you sent in `If-Match`. The request changed nothing.",
      limits,
      "The resource has changed since you read it. Read it again, then resend the change.",
    ),
    bodyTooLarge: error(
      "BodyTooLarge",
      "The body is over 64 KiB.",
      limits,
      "The body is over 64 KiB. Send a smaller one.",
    ),
    addressTooLong: error("AddressTooLong", "The URL is over 8 KB.", [], "The URL is over 8 KB. Send a shorter one."),
    notJson: error(
      "UnsupportedMediaType",
      "The `Content-Type` of the body is not JSON.",
      ["Accept-Patch", ...limits],
      "The body must be JSON. Send Content-Type: application/json.",
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
    ...(spec.scope && { 403: common.forbidden(spec.scope) }),
    404: path.includes("{") ? common.notFound : common.noWorkspace,
    406: common.notAcceptable,
    ...(spec.gone && { 410: common.gone(spec.gone) }),
    ...(!reads && { 412: common.preconditionFailed, 413: common.bodyTooLarge }),
    414: common.addressTooLong,
    ...(!reads && { 415: common.notJson }),
    ...(invalid && {
      422: common.json(
        `Some input was refused. Every refused ${reads ? "parameter" : "field"} is listed.`,
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
