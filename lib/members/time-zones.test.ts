import { expect, test } from "vitest";
import { isTimeZone } from "@/lib/members/members";
import { currentTimeZone, timeZoneChoices } from "@/lib/members/time-zones";

test("time zones are offered by their current names, and each of them is accepted", () => {
  const values = timeZoneChoices("Asia/Calcutta").map(({ value }) => value);
  expect(values).toEqual(expect.arrayContaining(["Asia/Kolkata", "Europe/Kyiv", "America/Nuuk", "UTC"]));
  expect(values.filter((value) => value !== currentTimeZone(value))).toEqual([]);
  expect(values.filter((value) => !isTimeZone(value))).toEqual([]);
  expect(new Set(values).size).toBe(values.length);
});

test("a time zone that the engine doesn't list stays among the choices", () => {
  expect(timeZoneChoices("Etc/GMT+5")).toContainEqual({ value: "Etc/GMT+5", name: "Etc/GMT+5" });
});
