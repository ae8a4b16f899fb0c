import { readFileSync } from "node:fs";
import { SourceMap, type SourceMapPayload } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { LRUCache } from "lru-cache";

const FRAME = /^( +at (?:.* \(|async )?)(.+?\.m?js):(\d+):(\d+)(\)?(?: \{)?)$/;
/** In characters. A message can contain longer lines that only begin like a frame. */
const LONGEST = 1_000;
/** Folders of the build. */
const BUILT = ["dist", ".next/server"];

/** Source maps by file. They are large and slow to read, so only this many are read in a minute. */
const MOST = 20;
const maps = new LRUCache<string, { map: SourceMap | null }>({ max: MOST, ttl: 60_000, ttlAutopurge: true });

/**
 * Replaces positions in the build with positions in the sources. Node's `--enable-source-maps` does so too, but keeps the maps of all
 * files: 25 MB at startup, and more with each page.
 * @param text that may contain stack traces
 * @param root the folder of the build
 */
export function withSourcePositions(text: string, root = process.cwd()): string {
  if (!text.includes("\n")) return text;
  return text
    .split("\n")
    .map((line) => {
      const [, before, path = "", row, column, after] = (line.length <= LONGEST && FRAME.exec(line)) || [];
      if (before === undefined) return line;
      try {
        const found = sourcePosition(root, path, Number(row), Number(column));
        return found ? `${before}${found}${after}` : line;
      } catch {
        // A message that looks like a frame.
        return line;
      }
    })
    .join("\n");
}

/** @param path absolute, relative to `root` as in Next's stacks, or a URL */
function sourcePosition(root: string, path: string, row: number, column: number): string | null {
  const file = path.startsWith("file:") ? fileURLToPath(path) : resolve(root, path);
  if (!BUILT.some((folder) => file.startsWith(join(root, folder, "/")))) return null;
  const entry = mapOf(file)?.findEntry(row - 1, column - 1);
  if (!entry || !("originalSource" in entry)) return null;
  const source = resolve(dirname(file), decodeURIComponent(entry.originalSource));
  return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
}

function mapOf(file: string): SourceMap | null {
  const known = maps.get(file);
  if (known) return known.map;
  if (maps.size === MOST) return null;
  const map = readMap(`${file}.map`);
  maps.set(file, { map });
  return map;
}

function readMap(file: string): SourceMap | null {
  try {
    return new SourceMap(JSON.parse(readFileSync(file, "utf8")) as SourceMapPayload);
  } catch {
    return null;
  }
}
