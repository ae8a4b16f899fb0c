/** Writes a message to the person on standard error. Standard output is for programs. */
export function note(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Prints rows as columns, two spaces apart, under a heading, on standard output. */
export function table(headings: string[], rows: string[][]): void {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  for (const row of [headings, ...rows]) {
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    );
  }
}

/** A number and what it counts: "1 file", "2 files". */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}

/** A time in UTC for people, or a dash for null. */
export function moment(date: Date | null): string {
  return date ? date.toISOString().slice(0, 16).replace("T", " ") : "-";
}

const EVERY_MS = 100;
const EVERY_LINE_MS = 5_000;

/**
 * Progress on standard error: one line drawn again on a terminal, a line every five seconds elsewhere.
 * @returns a function to call as often as you like, and `end` to call once
 */
export function progress(): { show: (label: string, done: number, total: number) => void; end: () => void } {
  const terminal = process.stderr.isTTY;
  let drawn = 0;
  let label = "";
  let began = Date.now();
  return {
    show(name, done, total) {
      const now = Date.now();
      if (name !== label) {
        label = name;
        began = now;
      } else if (done < total && now - drawn < (terminal ? EVERY_MS : EVERY_LINE_MS)) return;
      drawn = now;
      const seconds = (now - began) / 1000;
      const rate = seconds > 0.5 ? done / seconds : 0;
      const left = rate > 0 && done < total ? `, ${Math.ceil((total - done) / rate)} s left` : "";
      const share = total > 0 ? done / total : 1;
      const bar = `${"█".repeat(Math.round(share * 24))}${"░".repeat(24 - Math.round(share * 24))}`;
      const text = `${name} ${bar} ${done} of ${total}${rate > 0 ? `, ${Math.round(rate)} a second` : ""}${left}`;
      process.stderr.write(terminal ? `\r\u001b[K${text}` : `${text}\n`);
    },
    end() {
      if (terminal && label) process.stderr.write("\n");
    },
  };
}
