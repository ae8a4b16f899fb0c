import { InvalidError, type InvalidField, NotFoundError, UnavailableError } from "@/lib/errors";

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

/** The one answer for every unusable key (contract 53). */
export const unauthorized = () =>
  new HttpError(401, "Authentication failed: invalid API key.", { "WWW-Authenticate": 'ApiKey realm="external API"' });

/** The answer to a key without the scope that an operation needs (contract 54). */
export const forbidden = (scope: string) =>
  new HttpError(403, `This API key needs the scope ${scope}. Use a key that has it.`);

/** The same bytes for unknown ids and another workspace's ids (contract 14). */
export const notFound = () => new HttpError(404, "Not found. Check the id in the URL.");

/** The answer for any thrown error. An unexpected one becomes a 500 without its cause (contract 61), which goes to `report`. */
export function httpErrorOf(error: unknown, report: (error: unknown) => void): HttpError {
  if (error instanceof HttpError) return error;
  if (error instanceof NotFoundError) return notFound();
  if (error instanceof InvalidError) return new HttpError(422, error.message, {}, error.fields);
  report(error);
  if (error instanceof UnavailableError) {
    return new HttpError(503, "The service is busy or restarting. Try again in a moment.", { "Retry-After": "2" });
  }
  return new HttpError(
    500,
    "Something went wrong on our side. Try again, and send us the X-Request-Id if it keeps failing.",
  );
}
