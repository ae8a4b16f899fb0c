import { InvalidError, type InvalidField, NotFoundError, UnavailableError } from "@/lib/errors";

/** The codes of errors with their status and meaning (contract 68). Programs compare them, so they never change. */
export const errorCodes = {
  malformed_url: [400, "The URL is not properly percent-encoded, or contains a NUL character."],
  malformed_body: [400, "The body is not a JSON object, or was cut off."],
  invalid_idempotency_key: [
    400,
    "The `Idempotency-Key` is empty or too long, or it contains spaces or invisible characters.",
  ],
  invalid_api_key: [
    401,
    "The key is missing, malformed, unknown, revoked, or expired, or it belongs to another workspace.",
  ],
  missing_scope: [403, "The key doesn't have the scope that the operation needs."],
  unknown_workspace: [404, "No workspace uses this host."],
  unknown_path: [404, "The API has no such path."],
  not_found: [404, "The workspace has nothing with this ID."],
  method_not_allowed: [405, "The path doesn't support the method."],
  not_acceptable: [406, "The `Accept` header excludes JSON."],
  request_in_progress: [409, "The first request with this `Idempotency-Key` is still running."],
  draft_changed_by_member: [
    409,
    "A team member saved the draft last, and the request doesn't say which revision it is based on. Read the draft and send its `revision`.",
  ],
  write_conflict: [409, "Someone saved the article at the same moment. Send the request again."],
  cursor_expired: [410, "The cursor has expired. Start over without `after`."],
  revision_conflict: [412, "The resource has changed since it was read."],
  body_too_large: [413, "The body is over the operation's limit."],
  url_too_long: [414, "The URL is over 8 KB."],
  unsupported_media_type: [415, "The `Content-Type` of the body is not JSON."],
  invalid_fields: [422, "Some parameters or fields are invalid. `details` lists them."],
  idempotency_key_reused: [422, "The `Idempotency-Key` was used for another request."],
  rate_limited: [429, "You've reached a rate limit. `Retry-After` says how many seconds to wait."],
  server_error: [500, "Something went wrong on our side."],
  not_tried: [503, "The bulk request ended before this item started. Send the item again."],
  unavailable: [
    503,
    "The service is busy or restarting. A change may still have been made, so repeat it with the same `Idempotency-Key`.",
  ],
} as const satisfies Record<string, readonly [status: number, meaning: string]>;

/** The current state of an article whose change was refused. */
export interface Current {
  revision: number;
  changed_by: string | null;
  changed_at: string;
}

export type ErrorCode = keyof typeof errorCodes;

export class HttpError extends Error {
  override name = "HttpError";
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly details?: InvalidField[];
  readonly current?: Current;

  constructor(
    readonly code: ErrorCode,
    message: string,
    {
      headers = {},
      details,
      current,
    }: { headers?: Record<string, string>; details?: InvalidField[]; current?: Current } = {},
  ) {
    super(message);
    this.status = errorCodes[code][0];
    this.headers = headers;
    this.details = details;
    this.current = current;
  }
}

/** The one answer for every unusable key (contract 53). */
export const unauthorized = () =>
  new HttpError("invalid_api_key", "Authentication failed: invalid API key.", {
    headers: { "WWW-Authenticate": 'ApiKey realm="external API"' },
  });

/** The answer to a key without the scope that an operation needs (contract 54). */
export const forbidden = (scope: string) =>
  new HttpError("missing_scope", `This API key needs the ${scope} scope. Use a key that has it.`);

/** The same bytes for unknown ids and another workspace's ids (contract 14). */
export const notFound = () => new HttpError("not_found", "Not found. Check the ID in the URL.");

/** The answer to a request for which there is no room now. */
export const busy = () =>
  new HttpError("unavailable", "The service is busy or restarting. Try again in a moment.", {
    headers: { "Retry-After": "2" },
  });

/** The answer for any thrown error. An unexpected one becomes a 500 without its cause (contract 61), which goes to `report`. */
export function httpErrorOf(error: unknown, report: (error: unknown) => void): HttpError {
  if (error instanceof HttpError) return error;
  if (error instanceof NotFoundError) return notFound();
  if (error instanceof InvalidError) return new HttpError("invalid_fields", error.message, { details: error.fields });
  report(error);
  if (error instanceof UnavailableError) return busy();
  return new HttpError(
    "server_error",
    "Something went wrong on our side. Try again, and send us the X-Request-Id if it keeps failing.",
  );
}
