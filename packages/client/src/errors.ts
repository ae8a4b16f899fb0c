import type { InvalidField } from "./types.js";

/** What is known of a call that failed. */
export interface Failure {
  /** Method and path, such as "GET /api/external/v2/articles". */
  request: string;
  status?: number | undefined;
  requestId?: string | undefined;
  retryAfter?: number | undefined;
  details?: InvalidField[] | undefined;
  cause?: unknown;
}

/** Whatever a call can fail with. The message is one sentence that says what to do; it never holds the API key. */
export class LecternError extends Error {
  override name = "LecternError";
  /** Method and path, such as "GET /api/external/v2/articles". */
  readonly request: string;
  /** The HTTP status; undefined when there was no answer. */
  readonly status: number | undefined;
  /** The answer's X-Request-Id: the server's log names it beside the cause. */
  readonly requestId: string | undefined;

  constructor(message: string, { request, status, requestId, cause }: Failure) {
    super(message, cause === undefined ? undefined : { cause });
    this.request = request;
    this.status = status;
    this.requestId = requestId;
  }

  /** For logs: without this, JSON would leave the message out. */
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

/** 412: what `ifMatch` names is no longer the current version. Read it again, then send the change. */
export class PreconditionFailedError extends LecternError {
  override name = "PreconditionFailedError";
}

/** 422: a parameter or field cannot be used; `details` names every one. */
export class ValidationError extends LecternError {
  override name = "ValidationError";
  readonly details: InvalidField[];

  constructor(message: string, failure: Failure) {
    super(message, failure);
    this.details = failure.details ?? [];
  }
}

/** 429: too many requests, and the retries or the timeout are used up. */
export class RateLimitError extends LecternError {
  override name = "RateLimitError";
  /** Seconds to wait before asking again; undefined when the server did not say. */
  readonly retryAfter: number | undefined;

  constructor(message: string, failure: Failure) {
    super(message, failure);
    this.retryAfter = failure.retryAfter;
  }
}

/** 503, and 502 or 504 of a proxy: the server is away or too busy. A write may have been done all the same. */
export class UnavailableError extends LecternError {
  override name = "UnavailableError";
  /** Seconds to wait before asking again; undefined when the server did not say. */
  readonly retryAfter: number | undefined;

  constructor(message: string, failure: Failure) {
    super(message, failure);
    this.retryAfter = failure.retryAfter;
  }
}

/** No answer, or one that broke off; `cause` says why. A write may have been done all the same. */
export class ConnectionError extends LecternError {
  override name = "ConnectionError";
}

/** No answer within the timeout, all attempts included. A write may have been done all the same. */
export class TimeoutError extends ConnectionError {
  override name = "TimeoutError";
}
