import type { ErrorCode, InvalidField } from "./types.js";

export interface Failure {
  /** Method and path, such as "GET /api/external/v2/articles". */
  request: string;
  status?: number | undefined;
  code?: ErrorCode | undefined;
  requestId?: string | undefined;
  retryAfter?: number | undefined;
  details?: InvalidField[] | undefined;
  cause?: unknown;
}

/** The base class of all errors. The message says what to do and never contains the API key. */
export class LecternError extends Error {
  override name = "LecternError";
  /** Method and path, such as "GET /api/external/v2/articles". */
  readonly request: string;
  /** The HTTP status, or undefined when there was no answer. */
  readonly status: number | undefined;
  /** The kind of error, for programs. Undefined when the answer is not Lectern's. */
  readonly code: ErrorCode | undefined;
  /** The answer's X-Request-Id, which the server's log contains too. */
  readonly requestId: string | undefined;

  constructor(message: string, { request, status, code, requestId, cause }: Failure) {
    super(message, cause === undefined ? undefined : { cause });
    this.request = request;
    this.status = status;
    this.code = code;
    this.requestId = requestId;
  }

  /** For logs. JSON leaves out an error's message by default. */
  toJSON(): object {
    return { ...this, message: this.message };
  }
}

/** 401: the key is missing, wrong, revoked, expired, or another workspace's. */
export class AuthenticationError extends LecternError {
  override name = "AuthenticationError";
}

/** 403: the key may only read. */
export class PermissionError extends LecternError {
  override name = "PermissionError";
}

/** 404: no such workspace, article or team member. */
export class NotFoundError extends LecternError {
  override name = "NotFoundError";
}

/** 409: the request conflicts with another one. `code` says how. */
export class ConflictError extends LecternError {
  override name = "ConflictError";
}

/** 412: `ifMatch` is not the current version. Read the resource again, then send the change. */
export class PreconditionFailedError extends LecternError {
  override name = "PreconditionFailedError";
}

/** 422: `details` has every invalid parameter or field. */
export class ValidationError extends LecternError {
  override name = "ValidationError";
  readonly details: InvalidField[];

  constructor(message: string, failure: Failure) {
    super(message, failure);
    this.details = failure.details ?? [];
  }
}

/** An error that may pass after a while. */
class RetryableError extends LecternError {
  /** Seconds to wait, or undefined when the server did not say. */
  readonly retryAfter: number | undefined;

  constructor(message: string, failure: Failure) {
    super(message, failure);
    this.retryAfter = failure.retryAfter;
  }
}

/** 429: too many requests, after all retries. */
export class RateLimitError extends RetryableError {
  override name = "RateLimitError";
}

/** 503, or 502 and 504 from a proxy, after all retries. A write may still have been done. */
export class UnavailableError extends RetryableError {
  override name = "UnavailableError";
}

/** No complete answer. See `cause`. A write may still have been done. */
export class ConnectionError extends LecternError {
  override name = "ConnectionError";
}

/** No answer within the timeout. A write may still have been done. */
export class TimeoutError extends ConnectionError {
  override name = "TimeoutError";
}
