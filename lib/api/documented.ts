import type { z } from "zod";
import type { InvalidField } from "@/lib/errors";

/** What an operation says of itself beside what it does: the reference shows it, and clients are made from it. */
export interface Documented<Answer extends z.ZodType> {
  /** Names the operation in clients; unique in its version. */
  operationId: string;
  /** The group it is shown in: the name of one of the version's tags. */
  tag: string;
  /** One line. */
  summary: string;
  /** What it does and what to know of it, in Markdown. */
  description: string;
  /** What an answer of 200 holds, in one sentence. */
  returns: string;
  /** An answer as it could be. */
  example: z.input<Answer>;
  /** What is answered to an input that cannot be used, as it could be; a page number's when left out. */
  invalid?: InvalidField;
}
