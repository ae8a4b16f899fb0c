import {
  AuthenticationError,
  ConflictError,
  LecternError,
  NotFoundError,
  PermissionError,
  PreconditionFailedError,
  RateLimitError,
  UnavailableError,
  ValidationError,
} from "./errors.js";
import type { ErrorCode, InvalidField } from "./types.js";

const classes: Record<number, typeof LecternError> = {
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  412: PreconditionFailedError,
  422: ValidationError,
  429: RateLimitError,
  502: UnavailableError,
  503: UnavailableError,
  504: UnavailableError,
};

/**
 * The error for an answer other than 200, 201 and 304.
 * @param text the body, without the key
 */
export function errorOf({ status, headers }: Response, text: string, request: string): LecternError {
  const body = jsonOf(text) as { error?: unknown; code?: unknown; details?: unknown } | undefined;
  const type = headers.get("content-type")?.split(";")[0] ?? "no content type";
  const message =
    typeof body?.error === "string"
      ? body.error
      : `The response is ${status} with ${type}, which Lectern does not send. Check url, and any proxy in between.`;
  return new (classes[status] ?? LecternError)(message, {
    request,
    status,
    code: typeof body?.code === "string" ? (body.code as ErrorCode) : undefined,
    requestId: headers.get("x-request-id") ?? undefined,
    retryAfter: retryAfterOf(headers),
    details: Array.isArray(body?.details) ? (body.details as InvalidField[]) : undefined,
  });
}

/** Undefined when the text is not a JSON object. */
export function jsonOf(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Seconds. A date is compared with the server's own clock. */
function retryAfterOf(headers: Headers): number | undefined {
  const text = headers.get("retry-after")?.trim();
  if (!text) return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  const now = Date.parse(headers.get("date") ?? "") || Date.now();
  const seconds = (Date.parse(text) - now) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}
