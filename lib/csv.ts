type Row = readonly (string | number | Date)[];

/** Makes spreadsheets read UTF-8. */
const MARK = "\uFEFF";

/**
 * A table as a download (RFC 4180). An apostrophe keeps spreadsheets from running typed text as a formula.
 * @param rows in chunks, each requested after the previous one is sent
 * @param name ASCII, without extension
 */
export function csvAnswer(columns: readonly string[], rows: AsyncIterable<readonly Row[]>, name: string): Response {
  const pieces = encoded(columns, rows);
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const piece = await pieces.next();
      if (piece.done) controller.close();
      else controller.enqueue(piece.value);
    },
    async cancel() {
      await pieces.return(undefined);
    },
  });
  return new Response(body, {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="${name}.csv"`,
      "Cache-Control": "private, no-store",
    },
  });
}

async function* encoded(columns: readonly string[], rows: AsyncIterable<readonly Row[]>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  yield encoder.encode(`${MARK}${lineOf(columns)}`);
  for await (const piece of rows) yield encoder.encode(piece.map(lineOf).join(""));
}

function lineOf(row: Row): string {
  return `${row.map(fieldOf).join(",")}\r\n`;
}

function fieldOf(value: string | number | Date): string {
  if (typeof value === "number") return String(value);
  if (value instanceof Date) return value.toISOString();
  // Some spreadsheets also start a field after a semicolon or tab.
  const text = (/^\s*[=+\-@]|^[\t\r]/.test(value) ? `'${value}` : value).replace(/([;\t\r\n]\s*)(?=[=+\-@])/g, "$1'");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
