import { z } from "zod";
import { Paging, unprocessable } from "@/lib/api/input";
import type { InvalidField } from "@/lib/errors";
import { type Days, dayAfter } from "@/lib/insights/days";
import type { Part } from "@/lib/insights/views";

/** Views, searches and feedback are kept for so many days. */
const KEPT = 400;
const LONGEST = 366;
const DEFAULT = 30;

const day = (name: string, description: string, example: string) =>
  z.iso
    .date({ error: `${name} must be a day such as 2026-01-31.` })
    .optional()
    .meta({ description, examples: [example] });

export const InsightQuery = Paging.extend({
  from: day(
    "from",
    `The first day, in UTC, at most ${KEPT} days ago. Default: ${DEFAULT - 1} days before \`to\`.`,
    "2026-01-01",
  ),
  to: day("to", `The last day, in UTC. The range can have at most ${LONGEST} days. Default: today.`, "2026-01-31"),
});

export const aWrongDay: InvalidField = { field: "from", code: "invalid", message: "from must not be after to." };

/** Throws 422. */
export function daysOf({ from, to }: { from?: string | undefined; to?: string | undefined }, now = new Date()): Days {
  const today = now.toISOString().slice(0, 10);
  const last = to ?? today;
  const oldest = dayAfter(today, -KEPT);
  if (last < oldest) throw refused("to", `to must be ${oldest} or later, because nothing older is kept.`);
  // Where it is tomorrow already.
  if (last > dayAfter(today)) throw refused("to", "to must not be in the future.");
  const first = from ?? dayAfter(last, 1 - DEFAULT);
  if (first > last) throw unprocessable([aWrongDay]);
  if (from && from < oldest) throw refused("from", `from must be ${oldest} or later, because nothing older is kept.`);
  if (dayAfter(first, LONGEST) <= last) throw refused("to", `to can be up to ${LONGEST - 1} days after from.`);
  return { from: first, to: last };
}

const refused = (field: string, message: string) => unprocessable([{ field, code: "invalid", message }]);

/** A page past the end has the true total (contract 9). */
export async function pageOf<Row>(
  load: (part: Part) => Promise<{ rows: Row[]; total: number }>,
  part: Part,
): Promise<{ rows: Row[]; total: number }> {
  const page = await load(part);
  if (page.rows.length > 0 || part.offset === 0) return page;
  return { rows: [], total: (await load({ limit: 1, offset: 0 })).total };
}
