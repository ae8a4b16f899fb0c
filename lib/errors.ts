/** One failing field of an input, as the API answers it (contract 20). */
export interface InvalidField {
  field: string;
  code: "required" | "invalid" | "taken" | "too_long" | "not_found" | "not_allowed";
  message: string;
}

/** Something asked for does not exist, or not in this workspace: the two are never told apart. */
export class NotFoundError extends Error {
  override name = "NotFoundError";
}

/** An input cannot be used; the message says so in one sentence, the fields say where and why. */
export class InvalidError extends Error {
  override name = "InvalidError";
  readonly fields: InvalidField[];

  constructor(fields: InvalidField[], message = fields.map((field) => field.message).join(" ")) {
    super(message);
    this.fields = fields;
  }
}

/** The database is away, busy beyond its bounds, or too slow: asking again later may help. */
export class UnavailableError extends Error {
  override name = "UnavailableError";
}
