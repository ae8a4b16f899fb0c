import { expect, test } from "vitest";
import { csvAnswer } from "@/lib/csv";

type Rows = (string | number | Date)[][];

async function* pieces(...all: Rows[]) {
  yield* all;
}

async function fileOf(columns: string[], ...rows: Rows[]): Promise<string> {
  const bytes = await csvAnswer(columns, pieces(...rows), "table").arrayBuffer();
  // Decoded with the mark that the file begins with.
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

test("what has commas, quotes and line breaks stays one field", async () => {
  const rows = [['say "hi", twice', "one\ntwo", 3, new Date("2026-11-22T10:00:00Z")]];
  expect(await fileOf(["A", "B", "C", "D"], rows)).toBe(
    '\uFEFFA,B,C,D\r\n"say ""hi"", twice","one\ntwo",3,2026-11-22T10:00:00.000Z\r\n',
  );
});

test("a table in pieces is one file, also one without rows", async () => {
  expect(await fileOf(["A"], [["a"], ["b"]], [], [["c"]])).toBe("\uFEFFA\r\na\r\nb\r\nc\r\n");
  expect(await fileOf(["A"])).toBe("\uFEFFA\r\n");
  const { headers } = csvAnswer(["A"], pieces(), "reasons-7");
  expect(headers.get("Content-Disposition")).toBe('attachment; filename="reasons-7.csv"');
});

test("what a spreadsheet would compute is text", async () => {
  const typed = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", " =1", "a=1", "1-1", "a;=1"];
  const file = await fileOf(
    ["A"],
    typed.map((text) => [text]),
  );
  const [, ...rows] = file.trimEnd().split("\r\n");
  expect(rows).toEqual(["'=1+1", "'+1", "'-1", "'@SUM(A1)", "'\t'=1", "' =1", "a=1", "1-1", "a;'=1"]);
});
