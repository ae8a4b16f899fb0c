import { TooOftenError } from "@/lib/drafts/limits";
import { wordOf } from "../../_form";

/** What the address says to which a form leads whose work was one too many. */
export function tooOften({ seconds }: TooOftenError): { done: "often"; wait: number } {
  return { done: "often", wait: seconds ?? 0 };
}

/** And what the page at that address says. */
export function toldTooOften(query: Record<string, string | string[] | undefined>): string | null {
  if (wordOf(query.done) !== "often") return null;
  const wait = wordOf(query.wait);
  return new TooOftenError(/^[1-9]\d?$/.test(wait) ? Number(wait) : null).message;
}
