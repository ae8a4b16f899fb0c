import { expect, test } from "vitest";
import { sizeOf } from "@/components/ui/size";

test.each([
  [0, "0 bytes"],
  [1, "1 byte"],
  [999, "999 bytes"],
  [1_000, "1 kB"],
  [1_449, "1.4 kB"],
  [9_960, "10 kB"],
  [12_345, "12 kB"],
  [123_456, "123 kB"],
  [999_700, "1 MB"],
  [10_000_000, "10 MB"],
  [5_000_000_000, "5 GB"],
  [2_000_000_000_000, "2,000 GB"],
])("%i bytes are read as %s", (bytes, read) => {
  expect(sizeOf(bytes)).toBe(read);
});

test("a reader's language has its own words and separators", () => {
  expect(sizeOf(1_449, "de")).toBe("1,4 kB");
});
