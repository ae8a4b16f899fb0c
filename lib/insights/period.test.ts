import { expect, test } from "vitest";
import { beginnings, comparison, firstDay, periodOf, spanOf } from "@/lib/insights/period";

const now = new Date("2026-11-22T23:30:00Z");

test("a period ends with today, whose day is that of the time zone, and the one before it is as long", () => {
  const utc = spanOf("7", "UTC", now);
  expect(utc.days).toHaveLength(14);
  expect([utc.days[0], firstDay(utc), utc.days.at(-1)]).toEqual(["2026-11-09", "2026-11-16", "2026-11-22"]);
  const berlin = spanOf("7", "Europe/Berlin", now);
  expect([firstDay(berlin), berlin.days.at(-1)]).toEqual(["2026-11-17", "2026-11-23"]);
});

test("twelve months are calendar months, across the turn of the year", () => {
  const span = spanOf("12m", "UTC", now);
  expect([span.days[0], firstDay(span), span.days.at(-1)]).toEqual(["2024-12-01", "2025-12-01", "2026-11-01"]);
});

test("days begin at midnight where the member is, also when the clocks have changed between", () => {
  const span = spanOf("30", "Europe/Berlin", new Date("2026-11-05T12:00:00Z"));
  const at = beginnings(span, "Europe/Berlin");
  const startOf = (day: string) => at[span.days.indexOf(day)]?.toISOString();
  expect([startOf("2026-10-25"), startOf("2026-10-26")]).toEqual([
    "2026-10-24T22:00:00.000Z",
    "2026-10-25T23:00:00.000Z",
  ]);
  const [first] = beginnings({ ...span, days: ["2026-11-05"] }, "Asia/Kathmandu");
  expect(first?.toISOString()).toBe("2026-11-04T18:15:00.000Z");
});

test("an address that asks for no period gets thirty days", () => {
  expect([undefined, "", "8", ["7", "30"], "constructor"].map(periodOf)).toEqual(Array(5).fill("30"));
  expect(["7", "90", "12m"].map(periodOf)).toEqual(["7", "90", "12m"]);
});

test.each([
  [{ now: 112, before: 100 }, "12% more than the previous 30 days."],
  [{ now: 50, before: 100 }, "50% less than the previous 30 days."],
  [{ now: 3, before: 3 }, "Same as the previous 30 days."],
  [{ now: 1000, before: 1001 }, "About the same as the previous 30 days."],
  [{ now: 5, before: 0 }, "None in the previous 30 days."],
  [{ now: 5, before: null }, "Not enough data to compare yet."],
])("%o is compared in words", (numbers, words) => {
  expect(comparison(numbers, "30")).toBe(words);
});
