/** Contract 20. */
export interface InvalidField {
  field: string;
  code: "required" | "invalid" | "taken" | "too_long" | "not_found" | "not_allowed";
  message: string;
}

/** Missing, or in another workspace: the two look the same. */
export class NotFoundError extends Error {
  override name = "NotFoundError";
}

/** The message is one sentence, the fields say where and why. */
export class InvalidError extends Error {
  override name = "InvalidError";
  readonly fields: InvalidField[];

  constructor(fields: InvalidField[], message = fields.map((field) => field.message).join(" ")) {
    super(message);
    this.fields = fields;
  }
}

/** A retry may work. */
export class UnavailableError extends Error {
  override name = "UnavailableError";
}
