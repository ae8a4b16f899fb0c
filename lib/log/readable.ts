interface Line extends Record<string, unknown> {
  time: string;
  level: string;
  msg?: string;
  err?: { stack?: string; message?: string };
}

export function readableLine(json: string): string {
  const { time, level, msg, err, ...rest } = JSON.parse(json) as Line;
  const shown = (name: string) => (typeof rest[name] === "string" ? rest[name] : JSON.stringify(rest[name]));
  const clock = time.slice(11, 19);
  if ("status" in rest) {
    return `${clock} ${shown("method")} ${shown("host")}${shown("path")} ${shown("status")}, ${shown("ms")} ms\n`;
  }
  const facts = Object.keys(rest).filter((name) => name !== "source");
  const said = [level === "info" ? "" : `${level}:`, msg ?? "", ...facts.map((name) => `${name}=${shown(name)}`)];
  const cause = err ? `\n${err.stack ?? err.message}` : "";
  return `${[clock, ...said.filter((part) => part !== "")].join(" ")}${cause}\n`;
}
