import { expect, test } from "vitest";
import { timeIn, typedTime } from "./_time";

test("a time is one of the workspace's clocks, in summer and in winter", () => {
  expect(timeIn("Europe/Berlin", "2026-07-01T09:00")?.toISOString()).toBe("2026-07-01T07:00:00.000Z");
  expect(timeIn("Europe/Berlin", "2026-12-01T09:00")?.toISOString()).toBe("2026-12-01T08:00:00.000Z");
  expect(timeIn("America/Los_Angeles", "2026-03-08T03:30")?.toISOString()).toBe("2026-03-08T10:30:00.000Z");
  expect(timeIn("Asia/Kathmandu", "2026-01-01T00:00")?.toISOString()).toBe("2025-12-31T18:15:00.000Z");
  for (const typed of ["", "tomorrow", "2026-13-01T00:00", "2026-01-01"]) expect(timeIn("UTC", typed)).toBeNull();
});

test("a time is shown in the field as it was typed", () => {
  for (const [zone, typed] of [
    ["Europe/Berlin", "2026-10-25T04:00"],
    ["UTC", "2026-01-01T00:00"],
  ] as const) {
    expect(typedTime(zone, timeIn(zone, typed) ?? new Date(0))).toBe(typed);
  }
});
