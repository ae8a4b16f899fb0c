import { expect, test } from "vitest";
import { pythonLiteral } from "@/lib/reference/samples";

test("Python samples have the literals of Python", () => {
  expect(pythonLiteral({ to: null, all: [true, false], name: "true", none: {}, count: 1 })).toBe(
    '{ "to": None, "all": [ True, False ], "name": "true", "none": {}, "count": 1 }',
  );
});
