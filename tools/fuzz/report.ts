import type { Finding, Tally } from "./run";
import type { RequestSample, Sample } from "./sample";
import type { Target } from "./send";

/** The number of findings shown in full. Similar ones are only counted. */
const SHOWN = 40;

/** How often each status was answered to each kind of sample. */
export function tableOf({ statuses }: Tally): string {
  const columns = [...new Set([...statuses.values()].flatMap((row) => [...row.keys()]))].sort();
  const names = [...statuses.keys()].sort();
  const total = new Map<string, number>();
  const rows = names.map((name) =>
    columns.map((status) => {
      const times = statuses.get(name)?.get(status) ?? 0;
      total.set(status, (total.get(status) ?? 0) + times);
      return times ? String(times) : "";
    }),
  );
  const all = [
    ["", ...columns],
    ...names.map((name, place) => [name, ...rows[place]!]),
    ["all", ...columns.map((status) => String(total.get(status)))],
  ];
  const widths = all[0]!.map((_, place) => Math.max(...all.map((row) => row[place]!.length)));
  return all
    .map((row) =>
      row.map((cell, place) => (place ? cell.padStart(widths[place]!) : cell.padEnd(widths[0]!))).join("  "),
    )
    .join("\n");
}

/** The share of valid HTTP requests that succeeded. */
export function successShare({ statuses }: Tally): number {
  let [success, all] = [0, 0];
  for (const [name, row] of statuses) {
    if (name.startsWith("raw: ")) continue;
    for (const [status, times] of row) {
      all += times;
      if (status.startsWith("2")) success += times;
    }
  }
  return all === 0 ? 0 : success / all;
}

/** Groups of similar findings: one of each in full, with the command that repeats it. */
export function findingsText(findings: Finding[], seed: number, target: Target, log: readonly string[]): string {
  const groups = new Map<string, Finding[]>();
  for (const finding of findings) {
    const kind = kindOf(finding);
    groups.set(kind, [...(groups.get(kind) ?? []), finding]);
  }
  const shown = [...groups.values()].slice(0, SHOWN).map((group) => {
    const first = group[0]!;
    const others =
      group.length > 1
        ? [
            `and ${group.length - 1} more like it: ${group
              .slice(1, 8)
              .map(({ index }) => index)
              .join(", ")}`,
          ]
        : [];
    return [
      `── ${first.sample.name}: seed ${seed}, index ${first.index}`,
      ...first.problems.map((problem) => `   ${problem.replaceAll("\n", "\n   ")}`),
      `   npm run fuzz -- --seed ${seed} --replay ${first.index}`,
      `   ${repeated(first.sample, target)}`,
      ...saidOf(first, log),
      ...others,
    ].join("\n");
  });
  const rest = groups.size - shown.length;
  return [...shown, ...(rest > 0 ? [`and ${rest} more kinds`] : [])].join("\n\n");
}

/** Findings are similar if they have the same problems, whatever the request. Raw ones also need the same shape. */
function kindOf({ sample, problems }: Finding): string {
  const lines = problems.join("\n").split("\n");
  const said = lines.filter((line) => !line.startsWith("The body was")).join("\n");
  const plain = said
    .replace(/^\S+ \/\S+ answered/gm, "answered")
    .replace(/\d+/g, (digits) => (digits.length === 3 ? digits : "0"));
  return `${sample.kind === "raw" ? sample.name : ""} ${plain.slice(0, 300)}`;
}

/** The server's output about a failed request. */
function saidOf({ outcome }: Finding, log: readonly string[]): string[] {
  const failed = outcome.answers.find(({ status }) => status >= 500);
  const id = failed?.headers.find(([name]) => name.toLowerCase() === "x-request-id")?.[1];
  const lines = log.join("").split("\n");
  const at = id ? lines.findIndex((line) => line.includes(id)) : -1;
  return at === -1 ? [] : lines.slice(at, at + 12).map((line) => `   | ${line}`);
}

/** A shell command that sends the sample again. */
export function repeated(sample: Sample, { host, port }: Target): string {
  if (sample.kind === "request") return curl(sample, `http://${host}:${port}`);
  const bytes = Buffer.concat(sample.pieces);
  const shown = bytes.length > 2_000 ? ` # the first 2,000 of ${bytes.length} bytes` : "";
  const sent = `node -e 'process.stdin.pipe(require("net").connect(${port}, "${host}")).pipe(process.stdout)'`;
  return `printf ${inShell(printfText(bytes.subarray(0, 2_000)))} | ${sent}${shown}`;
}

function curl({ method, path, headers, body }: RequestSample, address: string): string {
  const shown = ["accept", "user-agent", "content-type"].filter(
    (name) => !headers.some(([other]) => other.toLowerCase() === name),
  );
  const parts = [
    ...[
      "curl",
      "-sSi",
      "--path-as-is",
      "-g",
      method === "HEAD" ? "-I" : `-X ${inShell(method)}`,
      inShell(address + path),
    ],
    // In curl, a semicolon instead of the colon sends an empty header. A colon alone sends none.
    ...[
      ...headers.map(([name, value]) => (value.trim() === "" ? `${name};` : `${name}: ${value}`)),
      ...shown.map((name) => `${name}:`),
    ].map((header) => `-H ${inShell(header)}`),
    ...(body?.chunks ? ["-H 'Transfer-Encoding: chunked'"] : []),
  ];
  if (!body) return parts.join(" ");
  return `printf ${inShell(printfText(body.bytes))} | ${[...parts, "--data-binary @-"].join(" ")}`;
}

/** Bytes for printf. Readable ones stay as they are. */
function printfText(bytes: Buffer): string {
  return [...bytes]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      if (character === "%") return "%%";
      return /[ -~]/.test(character) && character !== "\\" ? character : `\\${byte.toString(8).padStart(3, "0")}`;
    })
    .join("");
}

const inShell = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
