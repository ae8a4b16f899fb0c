import { z } from "zod";
import type { ZodOpenApiResponseObject } from "zod-openapi";
import { type InvalidField, UnavailableError } from "@/lib/errors";
import {
  type ErrorCode as Code,
  errorCodes,
  forbidden,
  type HttpError,
  httpErrorOf,
  notFound,
  unauthorized,
} from "./errors";
import { invalidKey, keyReused, stillRunning } from "./idempotency";
import { BODY_LIMIT, sizeOf, tooLarge } from "./input";
import type { Operation } from "./operation";
import type { OperationMethod } from "./route";

const message = z.string().describe("A message that says what happened and what to do.");

export const ErrorCode = z.enum(Object.keys(errorCodes) as [Code]).meta({
  id: "ErrorCode",
  description: Object.entries(errorCodes)
    .map(([code, [status, meaning]]) => `\`${code}\` (${status}): ${meaning}`)
    .join(" "),
});

export const details = z
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
  .describe("Every refused parameter or field, each listed once.");

export const current = z
  .object({
    revision: z.int().min(1).describe("The article's revision."),
    changed_by: z
      .string()
      .nullable()
      .describe("The team member or API key that last changed the article. Null after an import."),
    changed_at: z.iso.datetime().describe("When the article was last changed."),
  })
  .optional()
  .meta({
    id: "Current",
    description: "The article's current state, if a change was refused with 409 or 412.",
  });

/** The bodies of errors. Those of v1 have no code. */
const errorBodies = (hasCodes: boolean) => {
  const code = hasCodes ? { code: ErrorCode } : {};
  return {
    error: z
      .object({ error: message, ...code, ...(hasCodes && { current }) })
      .meta({ id: "Error", description: "The body of every error except 422." }),
    validationError: z
      .object({ error: z.string().describe("The messages of all details, joined."), ...code, details })
      .meta({ id: "ValidationError", description: "The body of a 422. Nothing was changed." }),
  };
};

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
    "The ID of this request in the server log. If you sent an ID of 1 to 100 characters (letters, digits, `_`, `.`, `:`, or `-`), this is your ID. Otherwise, Lectern generates one.",
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
  Location: text("The URL of the new resource.", "https://docs.example.com/api/external/v2/articles/guide"),
  "Idempotency-Replayed": text(
    "`true` if this is a repeat of the first response for the same `Idempotency-Key`. Otherwise absent.",
    "true",
    false,
  ),
  RateLimit: text(
    "The remaining requests of each limit (`r`) and the seconds until it resets (`t`). Absent if the installation has turned off its limits.",
    '"key";r=598;t=41',
    false,
  ),
  "RateLimit-Policy": text(
    "Each limit that applies: `q` requests in `w` seconds. Absent if the installation has turned off its limits.",
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

/** An error as the API returns it, for examples. */
type Refusal = Pick<HttpError, "code" | "message" | "details" | "current">;

export function commonAnswers(hasSuccessor: boolean) {
  const hasCodes = !hasSuccessor;
  const bodies = errorBodies(hasCodes);
  const headersOf = (names: HeaderName[]) => {
    const all = [...everywhere, ...names, ...(hasSuccessor ? (["Link"] as const) : [])];
    return Object.fromEntries(all.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
  };
  const json = (description: string, headers: HeaderName[], schema: z.ZodType, example: unknown) => ({
    description,
    headers: headersOf(headers),
    content: { "application/json": { schema, example } },
  });
  const refusal = (description: string, headers: HeaderName[], { code, message: error, details, current }: Refusal) =>
    json(description, headers, details ? bodies.validationError : bodies.error, {
      error,
      ...(hasCodes && { code }),
      ...(current && { current }),
      ...(details && { details }),
    });
  const error = (id: string, description: string, headers: HeaderName[], refused: Refusal) => ({
    id,
    ...refusal(description, headers, refused),
  });
  const says = (code: Code, message: string): Refusal => ({ code, message });
  const tooMany = (id: string, which: string, most: string) =>
    error(
      id,
      `The key has reached a rate limit${which}. \`RateLimit\` says which one. Without \`RateLimit\`, too many invalid keys came from this client's IP address.`,
      ["Retry-After", ...limits],
      says("rate_limited", `This key can send ${most} per minute. Try again in 41 seconds.`),
    );
  const bodyTooLarge = error("BodyTooLarge", `The body is over ${sizeOf(BODY_LIMIT)}.`, limits, tooLarge(BODY_LIMIT));
  const badAddress = "The URL is not properly percent-encoded or contains a NUL character";
  const badKey = "`Idempotency-Key` doesn't have 1 to 255 visible ASCII characters";
  const noWorkspace = "No workspace uses this host";

  return {
    json,
    refusal,
    notModified: {
      id: "NotModified",
      description: "Nothing has changed since the response whose `ETag` you sent in `If-None-Match`. There is no body.",
      headers: headersOf(["ETag", ...limits]),
    },
    badAddress: error(
      "BadAddress",
      `${badAddress}.`,
      [],
      says("malformed_url", "The URL is not properly percent-encoded. Encode it as UTF-8, without NUL characters."),
    ),
    badRequest: error(
      "BadRequest",
      `${badAddress}, the body is not a JSON object, or ${badKey}.`,
      limits,
      says("malformed_body", "The body is not valid JSON. Send one JSON object."),
    ),
    badFile: refusal(
      `${badAddress}, the body was cut off or is a form without a file, or ${badKey}.`,
      limits,
      says("malformed_body", "The body was cut off. Send it again."),
    ),
    badRequestWithoutBody: error(
      "BadRequestWithoutBody",
      `${badAddress}, or ${badKey}.`,
      limits,
      says("invalid_idempotency_key", invalidKey().message),
    ),
    unauthorized: error(
      "Unauthorized",
      "The key is missing, malformed, unknown, revoked, or expired, or it belongs to another workspace. The response is the same for all of these.",
      ["WWW-Authenticate"],
      unauthorized(),
    ),
    forbidden: (scope: string) => refusal(`The key doesn't have the \`${scope}\` scope.`, limits, forbidden(scope)),
    noWorkspace: error(
      "WorkspaceNotFound",
      `${noWorkspace}.`,
      [],
      says("unknown_workspace", "Workspace not found. Check the subdomain in the URL."),
    ),
    notFound: error("NotFound", `${noWorkspace}, or the workspace has nothing with this ID.`, limits, notFound()),
    notAcceptable: error(
      "NotAcceptable",
      "The `Accept` header excludes JSON.",
      limits,
      says("not_acceptable", "This API only returns JSON. Send Accept: application/json, or no Accept header."),
    ),
    preconditionFailed: error(
      "PreconditionFailed",
      "The resource has changed since the response whose `ETag` you sent in `If-Match`. The request changed nothing.",
      limits,
      says("revision_conflict", "The resource has changed since you read it. Read it again, then resend the change."),
    ),
    bodyTooLarge: (limit: number) =>
      limit === BODY_LIMIT ? bodyTooLarge : refusal(`The body is over ${sizeOf(limit)}.`, limits, tooLarge(limit)),
    addressTooLong: error(
      "AddressTooLong",
      "The URL is over 8 KB.",
      [],
      says("url_too_long", "The URL is over 8 KB. Send a shorter one."),
    ),
    notJson: error(
      "UnsupportedMediaType",
      "The `Content-Type` of the body is not JSON.",
      ["Accept-Patch", ...limits],
      says("unsupported_media_type", "The body must be JSON. Send Content-Type: application/json."),
    ),
    keyReused: error(
      "IdempotencyKeyReused",
      "The `Idempotency-Key` was already used for another request.",
      limits,
      keyReused(),
    ),
    tooManyRequests: tooMany("TooManyRequests", "", "600 requests"),
    tooManySearches: tooMany("TooManySearches", " for requests or for searches", "120 searches"),
    tooManyWrites: tooMany("TooManyWrites", " for requests or for writes", "120 writes"),
    failed: error(
      "ServerError",
      "Something went wrong on our side.",
      limits,
      httpErrorOf(new Error(), () => {}),
    ),
    unavailable: error(
      "Unavailable",
      "The service is busy or restarting. A change may still have been made.",
      ["Retry-After", ...limits],
      httpErrorOf(new UnavailableError(), () => {}),
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
  method: OperationMethod,
  path: string,
  { query, search, returns, response, example, body, creates, refusals = [], ...spec }: Operation["spec"],
): Record<`${number}`, ZodOpenApiResponseObject> {
  const reads = method === "GET";
  const invalid = spec.invalid ?? ("page_number" in query.shape ? pageNumberInvalid : undefined);
  const refused = reads
    ? "Some input was refused. `details` lists every refused parameter."
    : "Some input was refused, or the `Idempotency-Key` was already used for another request. `details` lists every refused field.";
  const made = typeof creates === "object" ? creates : { returns, example };
  const own: HeaderName[] = reads ? ["ETag", ...limits] : ["Idempotency-Replayed", ...limits];
  const answers: Record<`${number}`, ZodOpenApiResponseObject> = {
    ...(creates !== "always" && { 200: common.json(returns, own, response, example) }),
    ...(creates && { 201: common.json(made.returns, ["Location", ...own], response, made.example) }),
    ...(reads && { 304: common.notModified }),
    400: reads
      ? common.badAddress
      : spec.file
        ? common.badFile
        : body
          ? common.badRequest
          : common.badRequestWithoutBody,
    401: common.unauthorized,
    ...(spec.scope && { 403: common.forbidden(spec.scope) }),
    404: path.includes("{") ? common.notFound : common.noWorkspace,
    406: common.notAcceptable,
    ...(!reads && path.includes("{") && !spec.isGone && { 412: common.preconditionFailed }),
    ...(body && { 413: common.bodyTooLarge(spec.bodyLimit ?? BODY_LIMIT) }),
    ...(spec.file && { 413: common.refusal("The file is over the installation's limit.", limits, spec.file.tooLarge) }),
    414: common.addressTooLong,
    ...(body && { 415: common.notJson }),
    ...(!reads && { 422: common.keyReused }),
    ...(invalid && {
      422: common.refusal(refused, limits, {
        code: "invalid_fields",
        message: invalid.message,
        details: [invalid],
      }),
    }),
    429: search ? common.tooManySearches : reads ? common.tooManyRequests : common.tooManyWrites,
    500: common.failed,
    503: common.unavailable,
  };
  const all = reads ? refusals : [inProgress, ...refusals];
  for (const status of new Set(all.map(({ code }) => errorCodes[code][0]))) {
    // One answer for each status, with the example of the operation's own refusal.
    const same = all.filter(({ code }) => errorCodes[code][0] === status);
    const description = same.map((one) => one.description).join(" ");
    answers[`${status}`] = common.refusal(description, limits, same.at(-1) as (typeof same)[number]);
  }
  return answers;
}

const inProgress = {
  code: "request_in_progress" as const,
  description: "The first request with this `Idempotency-Key` is still running.",
  message: stillRunning().message,
};
