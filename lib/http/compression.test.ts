import { expect, test } from "vitest";
import { acceptedEncoding } from "@/lib/http/compression";

test.each([
  ["gzip, deflate, br, zstd", "br"],
  ["gzip", "gzip"],
  ["br;q=0.5, gzip", "gzip"],
  ["br;q=0, gzip;q=0.1", "gzip"],
  ["BR", "br"],
  ["*", "br"],
  ["br;q=0, *;q=0.5", "gzip"],
  ["*;q=0", null],
  ["br;q=0,gzip; q=0.0", null],
  ["identity", null],
  ["brotli", null],
  ["br;q=none", null],
  ["", null],
  [null, null],
])("a client that accepts %j gets %s", (header, encoding) => {
  expect(acceptedEncoding(header)).toBe(encoding);
});
