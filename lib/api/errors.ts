import { InvalidError, type InvalidField, NotFoundError, UnavailableError } from "@/lib/errors";

/** An answer that ends a request early. Thrown by the machinery, turned into a Response in one place. */
export class HttpError extends Error {
  override name = "HttpError";

  constructor(
    readonly status: number,
    message: string,
    readonly headers: Record<string, string> = {},
    readonly details?: InvalidField[],
  ) {
    super(message);
  }
}

/** One answer for a missing, malformed, unknown, revoked, expired and foreign key (contract 53). */
export const unauthorized = () =>
  new HttpError(401, "Authentication failed: invalid API key.", { "WWW-Authenticate": 'ApiKey realm="external API"' });

/** The same bytes for what never was and for what is another workspace's (contract 14). */
export const notFound = () => new HttpError(404, "Not found: check the id in the address.");

/**
 * The answer for whatever was thrown: the product's own errors by their meaning, everything else as a 500 that says
 * nothing of its cause (contract 61), which goes to `report`.
 */
export function httpErrorOf(error: unknown, report: (error: unknown) => void): HttpError {
  if (error instanceof HttpError) return error;
  if (error instanceof NotFoundError) return notFound();
  if (error instanceof InvalidError) return new HttpError(422, error.message, {}, error.fields);
  report(error);
  if (error instanceof UnavailableError) {
    return new HttpError(503, "The service is busy or restarting: try again in a moment.", { "Retry-After": "2" });
  }
  return new HttpError(500, "Something went wrong on our side: try again, and tell us the X-Request-Id if it goes on.");
}
