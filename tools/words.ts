import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

/** What not to write anywhere in the repository, and what to write instead. */
const phrases: [find: RegExp, write: string][] = [
  [/\bsomebody\b/i, "someone"],
  [/\bwhoever\b/i, "anyone who, or the person's role"],
  [/\bmend(s|ed|ing)?\b/i, "fix"],
  [/\blead(s|ing)? nowhere\b|\bled nowhere\b/i, "is broken, or has no target"],
  [/\b(led|leads) on\b/i, "redirected, or redirects"],
  [/\bma(kes?|de|king) way\b/i, "is replaced, or expires"],
  [/\b(throws?|threw|thrown) (it |them |this )?away\b/i, "discard"],
  [/\bbegun\b/i, "started"],
  [/\bat once\b/i, "immediately, together or concurrently"],
  [/\b(by itself|by themselves)\b/i, "automatically"],
  [/\bof before\b/i, "previous"],
  [/\bfor ever\b/i, "permanently"],
  [/\banew\b/i, "again"],
  [/\bany more\b/i, "no longer, or anymore"],
  [/\b(go|goes|going|went|gone) on\b(?! (the|top|to))/i, "continue"],
  [/\bwhat there is to\b/i, "the thing's name"],
  [/\be-mail/i, "email"],
  [/\bcolour/i, "color"],
  [/\b(behaviour|favourite|honour|neighbour)/i, "the American spelling, -or"],
  [
    /\b(recogni|organi|normali|saniti|initiali|optimi|synchroni|categori)s(e|ed|es|ing|ation)\b/i,
    "the American spelling, -ize",
  ],
  [/\b(misspelt|spelt|whilst|centre|licence|catalogue)\b/i, "the American spelling"],
];

/** In Markdown: a statement that starts like a question, and two sentences joined by a semicolon. */
const prose: [find: RegExp, write: string][] = [
  [/(?:^|[.!?] )(?:What|Who|Of|Whose)\s[^.?!]*[a-z)]\.(?= |$)/, "a sentence that starts with its subject"],
  [/[a-z)`"”]; [a-z`“]/i, "two sentences"],
];

/** Data, generated files, and this list. Words in them are not ours to choose. */
const skipped = [
  /^package-lock\.json$|^LICENSE$|\.(png|svg|ico|woff2?|webp|jpg|zip)$/,
  /^docs\/openapi\/|^packages\/client\/src\/types\.ts$/,
  /^lib\/search\/(everyday|small)-words\.ts$|^tools\/bench\/search-quality\/.*\.json$|^testing\/languages\//,
  /^tools\/words(\.test)?\.ts$/,
];

/** Words of other programs, names that must not change, and samples of what people type. */
const allowed: [path: RegExp, text: RegExp][] = [
  [/./, /NeighbouringArticle/g],
  [/^lib\/(search|synonyms)\/|^tools\/fuzz\/|^prisma\/manual\//, /["`[( -]e-mail\b/gi],
  [/^lib\/search\/passages\.test\.ts$/, /mending/gi],
  [/^lib\/settings\/appearance\.ts$/, /field: "colour"/g],
];

export interface Misuse {
  path: string;
  line: number;
  found: string;
  write: string;
}

export function misusesIn(path: string, text: string): Misuse[] {
  const isMarkdown = path.endsWith(".md");
  const misuses: Misuse[] = [];
  let isCode = false;
  for (const [index, whole] of text.split("\n").entries()) {
    let line = whole;
    for (const [where, exception] of allowed) if (where.test(path)) line = line.replace(exception, "");
    if (/^\s*```/.test(line)) isCode = !isCode;
    const look = (rules: typeof phrases, searched: string) => {
      for (const [find, write] of rules) {
        const found = find.exec(searched)?.[0].trim();
        if (found !== undefined) misuses.push({ path, line: index + 1, found, write });
      }
    };
    look(phrases, line);
    if (isMarkdown && !isCode) look(prose, withoutCode(line));
  }
  return misuses;
}

function withoutCode(markdown: string): string {
  return markdown
    .replace(/`[^`]*`/g, "`")
    .replace(/^[\s>]*(?:[-*]|\d+\.)\s+/, "")
    .replaceAll("**", "");
}

function main(): void {
  const paths = execFileSync("git", ["ls-files", "-z"], { encoding: "utf8" }).split("\0").filter(Boolean);
  const misuses = paths
    .filter((path) => !skipped.some((pattern) => pattern.test(path)))
    .flatMap((path) => misusesIn(path, readFileSync(path, "utf8")));
  for (const { path, line, found, write } of misuses) console.error(`${path}:${line}: "${found}". Write ${write}.`);
  if (misuses.length > 0) process.exitCode = 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) main();
