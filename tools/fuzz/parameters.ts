import type { Operation, Parameter, Schema } from "./document";
import type { Draw } from "./draw";
import { type Verdict, worst } from "./sample";
import { aSearchText } from "./searches";
import { aText, encoded, encodedSegment } from "./texts";
import type { Workspace, World } from "./world";

/** A parameter's value before encoding, and the contract's verdict on it. */
interface Value {
  text: string;
  verdict: Verdict;
}

const pass = (text: string): Value => ({ text, verdict: "pass" });
const fail = (text: string): Value => ({ text, verdict: "fail" });
const either = (text: string): Value => ({ text, verdict: "either" });

const aUuid = (draw: Draw) =>
  draw
    .bytes(16)
    .toString("hex")
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, "$1-$2-4$3-8$4-$5");

/** Texts that are nearly a uuid. */
function malformedUuid(draw: Draw): string {
  const uuid = aUuid(draw);
  return draw.pick([
    "1", "0", "-1", "null", "undefined", "me", "uuid", "{id}", ":id", "*", "[]",
    uuid.slice(1), `${uuid}0`, uuid.replaceAll("-", ""), uuid.replace("-", "_"), `{${uuid}}`, `urn:uuid:${uuid}`, `${uuid}'`,
    uuid.replace(/^./, "g"), `${uuid},${uuid}`, `${uuid} OR 1=1`, uuid.replaceAll("-", "–"), "x".repeat(draw.int(100, 2000)),
  ]); // biome-ignore format: a list reads best as lines
}

function aNumber(draw: Draw, { minimum = 0, maximum = 2 ** 31 - 1 }: Schema, bad: boolean): Value {
  if (!bad) {
    return pass(
      String(
        draw.pick([minimum, minimum, 1, 2, 3, 5, 10, 30, 99, 100, 101, 1000, maximum - 1, maximum, "", "01", "0007"]),
      ),
    );
  }
  return fail(
    String(
      draw.pick([
        minimum - 1, -1, -2147483648, maximum + 1, 4294967296, 9007199254740993n, 2n ** 63n, 2n ** 64n, 10n ** 30n,
        1.5, "1e3", "1E3", "0x10", "0b1", "+1", " 1", "1 ", "1.0", "1,0", "1_000", "١", "１", "½", "Infinity", "NaN", "-0", "00",
        "abc", "null", "true", "[]", "1;2", "1'--", "🎉", "--1", "9".repeat(400),
      ]),
    ),
  ); // biome-ignore format: a list reads best as lines
}

function aUuidValue(draw: Draw, known: string[], foreign: string[], bad: boolean): Value {
  if (bad) return fail(malformedUuid(draw));
  const id = draw.pick([...known, ...known, ...foreign, aUuid(draw), ""]);
  return draw.chance(0.1) ? pass(id.toUpperCase()) : pass(id);
}

/** A moment with an offset. */
function aTime(draw: Draw, bad: boolean): Value {
  const day = draw.pick(["2026-01-31", "2024-02-29", "1970-01-01", "0000-01-01", "9999-12-31"]);
  const time = draw.pick(["T00:00:00Z", "T23:59:59.999Z", "T12:00:00.123456Z", "T01:30:00+05:30", "T00:00:00-12:00"]);
  if (!bad) return pass(draw.pick([day + time, day + time, ""]));
  const faulty = [
    "T00:00:00",
    "",
    "T24:00:01Z",
    "T00:00:60Z",
    " 00:00:00Z",
    "t00:00:00z",
    "T00:00:00+0530",
    "T00:00:00Z\n",
  ];
  return fail(
    draw.pick([day + draw.pick(faulty), "now", "1700000000", "2026-02-30T00:00:00Z", "2026-13-01T00:00:00Z"]),
  );
}

/** Too long for a search. The longest also exceeds the limit of a URL, but not of a request's head, which has its own answer. */
const aLongText = (draw: Draw) =>
  draw.chance(0.3)
    ? fitting(
        aSearchText(draw)
          .trim()
          .padEnd(10_000, draw.pick(["a", "検", "a-"])),
      )
    : "a".repeat(draw.int(201, 260));

/** As much of a text as fits into 40,000 characters of a URL. */
function fitting(text: string): string {
  const characters = [...text];
  while (encodeURIComponent(characters.join("")).length > 40_000) characters.length = Math.ceil(characters.length / 2);
  return characters.join("");
}

/** The text of a search: at most 200 characters, with the counting that the contract leaves open (contract 2). */
function aSearchTerm(draw: Draw, workspace: Workspace, required: boolean, bad: boolean): Value {
  if (bad) {
    const blank = required && draw.chance(0.5);
    return fail(blank ? draw.pick(["", " ", "\t", "\u00a0", "\u3000 "]) : aLongText(draw));
  }
  const text = draw.pick([
    () => draw.pick(workspace.words),
    () => [...draw.pick(workspace.words)].slice(0, draw.int(1, 4)).join(""),
    () => draw.some(workspace.words, 1, 3).join(" "),
    () => fitting(aSearchText(draw)),
    () => fitting(aSearchText(draw)),
    () => fitting(aSearchText(draw)),
    () => "𠀀".repeat(draw.int(90, 200)),
  ])();
  if (text.trim() === "") return required ? fail(text) : pass(text);
  const { length } = text.trim();
  if ([...text.trim()].length > 200) return fail(text);
  return length > 200 ? either(text) : pass(text);
}

/** A value for a query parameter: by name if the world has values for it, otherwise by its schema. */
function aQueryValue(
  draw: Draw,
  { name, schema, required }: Parameter,
  world: World,
  own: Workspace,
  bad: boolean,
): Value {
  if (name === "search_term") return aSearchTerm(draw, own, required, bad);
  if (name === "email") return pass(draw.chance(0.5) ? draw.pick(own.emails) : aText(draw));
  // A cursor of the moment is not known here, and the document's has ended: changes.test.ts follows both.
  if (name === "after" || name === "before")
    return bad ? fail(draw.pick(["x", "0", "null", "e30", "W10", "🎉", "'"])) : pass("");
  if (schema.format === "date-time") return aTime(draw, bad);
  // Which days are kept depends on the day of the run.
  if (schema.format === "date")
    return bad ? fail(draw.pick(["2026-02-30", "yesterday", "2026-1-1", "31.01.2026", "20260131"])) : pass("");
  if (schema.type === "integer") return aNumber(draw, schema, bad);
  if (schema.format === "uuid") return aUuidValue(draw, own.categoryIds, world.rival.ids.categoryIds, bad);
  if (schema.enum) {
    if (bad)
      return fail(
        draw.pick(["x", "0", "null", `${schema.enum[0]},${schema.enum[1]}`, `${schema.enum[0]}x`, "'", "🎉"]),
      );
    const one = draw.pick(schema.enum);
    const other = draw.pick([one.toUpperCase(), one.toLowerCase(), ` ${one}`]);
    return draw.chance(0.1) ? either(other) : pass(draw.chance(0.05) ? "" : one);
  }
  return either(String((schema.examples?.[0] as string | undefined) ?? aText(draw)));
}

/** Aliases of an absent parameter, which the document only describes in prose (contract 1). */
const aliases: Record<string, string[]> = { search_term: ["query", "q"] };

/** Unknown names that a client might still send. */
const strangers = [
  "page", "per_page", "limit", "offset", "sort", "order", "fields", "include", "filter[state]", "state[]", "x", "", "__proto__",
  "constructor", "api_key", "X-Api-Key", "_method", "callback", "workspace_id", "debug", "Page_Number", "search_term[]", "página",
]; // biome-ignore format: a list reads best as lines

export interface Query {
  /** Includes its question mark, or is empty. */
  text: string;
  verdict: Verdict;
  invalidFields: string[];
  paging: { number?: number; size?: number };
}

/**
 * The query of a request.
 * @param bad whether at least one parameter must be invalid, if the operation has one that can be
 */
export function aQuery(draw: Draw, operation: Operation, world: World, own: Workspace, bad: boolean): Query {
  const declared = operation.parameters.filter(({ in: place }) => place === "query");
  const fallible = declared.filter(
    ({ name }) => name !== "email" && (name !== "search_term" || operation.path.endsWith("/search")),
  );
  const wrong = bad ? draw.some(fallible, 1, 3) : [];
  const pairs: [string, string][] = [];
  const query: Query = { text: "", verdict: "pass", invalidFields: [], paging: {} };
  for (const parameter of declared) {
    const { name, required, schema } = parameter;
    const isWrong = wrong.includes(parameter);
    if (!isWrong && !required && !draw.chance(0.4)) continue;
    if (isWrong && required && draw.chance(0.2)) {
      query.invalidFields.push(name);
      query.verdict = "fail";
      continue;
    }
    const value = aQueryValue(draw, parameter, world, own, isWrong);
    const others = operation.path.endsWith("/search") ? aliases[name] : undefined;
    const written = value.text !== "" && others && draw.chance(0.2) ? draw.pick(others) : name;
    pairs.push([written, value.text]);
    const isTwice = isWrong && schema.type === "integer" && value.text !== "" && draw.chance(0.2);
    if (isTwice) pairs.push([written, draw.chance(0.5) ? value.text : "2"]);
    if (value.verdict === "fail" || isTwice) query.invalidFields.push(name);
    query.verdict = worst([query.verdict, isTwice ? "fail" : value.verdict]);
    if (value.verdict === "pass" && value.text !== "") {
      if (name === "page_number") query.paging.number = Number(value.text);
      if (name === "page_size") query.paging.size = Math.min(100, Number(value.text));
    }
  }
  const unknown = strangers.filter((stranger) => !declared.some(({ name }) => name === stranger));
  while (draw.chance(0.15)) pairs.push([draw.pick(unknown), aText(draw, 40)]);
  const parts = draw.some(pairs, pairs.length).map(([name, text]) => {
    const key = encoded(draw, name);
    return text === "" && draw.chance(0.3) ? key : `${key}=${encoded(draw, text)}`;
  });
  if (draw.chance(0.05)) parts.push(draw.pick(["", "&", "=", "=&=", "&&"]));
  query.text = parts.length > 0 ? `?${parts.join("&")}` : draw.pick(["", "", "?"]);
  return query;
}

/** The path of an operation with a value for each parameter. With `bad`, nothing exists there. */
export function aPath(draw: Draw, operation: Operation, world: World, own: Workspace, bad: boolean) {
  let verdict: Verdict = "pass";
  const text = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const known = { article_id: own.articles, team_member_id: own.memberIds, category_id: own.categoryIds }[name];
    const { articles, memberIds } = world.rival.ids;
    // Later answers would repeat an external ID.
    const foreign = name === "external_id" ? [] : name === "article_id" ? articles : memberIds;
    if (bad || !known) {
      verdict = known ? "fail" : "either";
      return encodedSegment(
        draw,
        draw.pick([aUuid(draw), ...foreign, ...foreign, malformedUuid(draw), anySegment(draw)]),
      );
    }
    const value = draw.pick(known);
    if (!draw.chance(0.1)) return encodedSegment(draw, value);
    verdict = "either";
    return encodedSegment(draw, draw.pick([value.toUpperCase(), ` ${value}`, `${value} `, `${value}/`]));
  });
  return { text, verdict };
}

/** Not empty, and not "." or "..", which would change the path. */
function anySegment(draw: Draw): string {
  const text = aText(draw);
  return /^\.*$/.test(text) ? `x${text}` : text;
}
