import { METHODS } from "node:http";
import { aBody, type BodyFault } from "./bodies";
import { type Operation, operations } from "./document";
import type { Draw } from "./draw";
import { aContentType, aHost, aKey, anAccept, anIdempotencyKey, aRequestId, aTag, noise } from "./headers";
import { aPath, aQuery } from "./parameters";
import { expectedOf, type RequestSample, type Verdicts, worst } from "./sample";
import { encoded, undecodable } from "./texts";
import type { World } from "./world";

const faults = [
  "address", "host", "route", "method", "key", "permission", "accept", "type", "size", "json", "idempotency", "validation", "existence", "match", "noneMatch",
] as const; // biome-ignore format: a list reads best as lines
type Fault = (typeof faults)[number];

/** The maximum number of bytes of a URL (contract 29). */
const ADDRESS_LIMIT = 8 * 1024;

/** A request drawn from the documents. About half are valid, the others have one or more errors. */
export function aRequest(draw: Draw, world: World, unique: string): RequestSample {
  // Writes have more operations, but most of their answers depend on other writes.
  const operation = draw.pick(draw.chance(0.44) ? reads : draw.chance(0.2) ? memberChanges : list);
  const { method, needsKey, fields } = operation;
  const isWrite = method !== "GET";
  if (needsKey && method === "GET" && world.tags.length > 0 && draw.chance(0.04)) return aRevisit(draw, world);
  const wrong = draw.chance(0.5)
    ? []
    : draw.some(
        faults.filter((fault) => applies(fault, operation, world)),
        1,
        draw.chance(0.7) ? 1 : 3,
      );
  const has = (fault: Fault) => wrong.includes(fault);
  const read = draw.chance(0.85) ? world.own[0]! : draw.pick(world.own);
  const own = isWrite && !isMember(operation) && world.written ? world.written : read;

  const verdicts: Verdicts = {};
  const invalidFields: string[] = [];
  const query = aQuery(draw, operation, world, own, has("validation") && method === "GET");
  const path = aPath(draw, operation, world, own, has("existence"));
  let route = path.text;
  let documentedAs = operation.path.replace(/\{\w+\}/g, "x");
  if (has("route")) {
    [route, verdicts.route, documentedAs] = [noRoute(draw, operation, path.text), "fail", nowhere];
  }
  let target = route + query.text;
  if (has("address")) {
    if (draw.chance(0.6)) {
      target = withUndecodable(draw, route, query.text, has("route"));
      // The path may have become another one.
      if (!operation.path.endsWith("}") && !target.startsWith(`${route}?`)) documentedAs = nowhere;
    } else target = lengthened(target, ADDRESS_LIMIT + draw.pick([1, 1, 2, 100, 10_000, 50_000]));
  }
  if (!has("address") && draw.chance(0.005)) target = lengthened(target, ADDRESS_LIMIT);
  Object.assign(verdicts, addressVerdicts(target));

  const toRival = has("key") && !has("host") && world.rival.key !== null && draw.chance(0.2);
  const host = aHost(draw, world, toRival ? world.rival : own, has("host"));
  verdicts.host = host.verdict;
  const chosen = has("method")
    ? draw.pick(otherMethods.filter((other) => !documented.has(`${other} ${operation.path}`)))
    : method;
  const sent = chosen === "GET" && draw.chance(0.1) ? "HEAD" : chosen;
  const isOptions = !has("method") && draw.chance(0.02);
  if (has("method")) verdicts.method = "fail";

  const headers: [string, string][] = [...host.headers, ...noise(draw, world)];
  const { isForReaders } = operation;
  const permitted = isForReaders || (world.writes && !has("permission"));
  const key = aKey(draw, world, own, { write: !isForReaders, permitted, bad: has("key") && !toRival });
  headers.push(...key.headers);
  if (needsKey) verdicts.key = toRival ? "fail" : key.verdict;
  if (!permitted) verdicts.permission = "fail";
  const accept = anAccept(draw, has("accept"));
  headers.push(...accept.headers);
  verdicts.accept = accept.verdict;
  verdicts.validation = query.verdict;
  // A write may have deleted it, or refer to something else.
  verdicts.existence = isWrite && !isMember(operation) ? worst([path.verdict, "either"]) : path.verdict;

  let body: RequestSample["body"];
  if (isWrite && (has("idempotency") || draw.chance(0.3))) {
    headers.push(["Idempotency-Key", anIdempotencyKey(draw, unique, has("idempotency"))]);
    verdicts.idempotency = has("idempotency") ? "fail" : "pass";
  }
  if (isWrite && (draw.chance(0.1) || has("match"))) {
    verdicts.match = has("match") ? "fail" : "pass";
    headers.push(["If-Match", aTag(draw, !has("match"))]);
  }
  if (fields) {
    const wanted = wrong.filter((fault): fault is BodyFault => ["size", "json", "validation"].includes(fault));
    const made = aBody(draw, operation, own, unique, wanted);
    Object.assign(verdicts, made.verdicts);
    invalidFields.push(...made.invalidFields);
    body = made.body;
    const type = aContentType(draw, has("type"));
    // The first of several values counts.
    headers.unshift(...type.headers);
    if (type.headers.length === 0) removeHeader(headers, "content-type");
    verdicts.type = type.verdict;
  } else if (operation.isFile) {
    body = { bytes: draw.bytes(draw.pick([0, 1, 100, 10_000])) };
    // An empty file and a damaged image are refused.
    verdicts.validation = worst([query.verdict, "either"]);
  } else if (!isWrite) {
    invalidFields.push(...query.invalidFields);
    if (draw.chance(0.05) || has("noneMatch")) {
      verdicts.noneMatch = has("noneMatch") ? "fail" : "pass";
      headers.push(["If-None-Match", aTag(draw, has("noneMatch"))]);
    }
    // Ignored in requests that write nothing.
    if (draw.chance(0.05)) headers.push(["If-Match", aTag(draw, draw.chance(0.5))]);
    if (draw.chance(0.05) || (has("method") && draw.chance(0.5)))
      body = { bytes: draw.bytes(draw.pick([0, 1, 100, 10_000])) };
  }
  // Another write may have changed, published or deleted it.
  if (isWrite && !isMember(operation))
    for (const stage of ["validation", "match"] as const)
      if (verdicts[stage] !== "fail" || stage === "match") verdicts[stage] = "either";
  const sane = draw.chance(0.7);
  const requestId = draw.chance(0.3) ? aRequestId(draw, sane) : undefined;
  if (requestId !== undefined) headers.push(["X-Request-Id", requestId]);

  const finalMethod = isOptions ? "OPTIONS" : sent;
  const stopsEarly = isOptions ? onlyOf(verdicts, ["length", "decoding", "host", "route"]) : verdicts;
  return {
    kind: "request",
    name: nameOf(operation, finalMethod, verdicts),
    method: finalMethod,
    path: target,
    headers,
    body,
    limited: draw.chance(0.03),
    expected: expectedOf(stopsEarly, ...(isOptions ? [204] : operation.successes)),
    invalidFields,
    documentedAs,
    ...(query.verdict === "pass" && { paging: query.paging }),
    ...(requestId !== undefined && sane && { requestId }),
    toRival,
  };
}

/** The row in the table: one per operation, and per kind of unknown request. */
function nameOf({ method, version, path }: Operation, sent: string, { route }: Verdicts): string {
  if (route === "fail") return "no such path";
  if (sent === method) return `${sent} ${version}${path.replace(`/api/external/${version}`, "")}`;
  return ["HEAD", "OPTIONS"].includes(sent) ? `${sent} ${version}` : `another method ${version}`;
}

const list = operations();
const reads = list.filter(({ method }) => method === "GET");
const documented = new Set(list.map(({ method, path }) => `${method} ${path}`));
/** Only changes of members have known effects. */
const isMember = ({ path }: Operation) => /\/team[-_]members\//.test(path);
const memberChanges = list.filter((operation) => operation.method !== "GET" && isMember(operation));
/** A path that is in no document. */
const nowhere = "/api/external/v2/nothing";
/** CONNECT requests a tunnel, so raw.ts sends it. */
const otherMethods = METHODS.filter((method) => !["GET", "HEAD", "OPTIONS", "CONNECT"].includes(method));

function applies(
  fault: Fault,
  { method, needsKey, isForReaders, fields, parameters, path }: Operation,
  { writes, own }: World,
): boolean {
  const has = (place: string) => parameters.some((parameter) => parameter.in === place);
  if (fault === "key") return needsKey;
  if (fault === "permission") return !isForReaders && own[0]?.keys.read !== null;
  if (["type", "size", "json"].includes(fault)) return fields !== undefined && writes;
  if (fault === "match") return method !== "GET" && has("path") && writes;
  if (fault === "idempotency") return method !== "GET" && writes;
  if (fault === "noneMatch") return method === "GET";
  if (fault === "validation") return fields !== undefined || (has("query") && path !== nowhere);
  return fault === "existence" ? has("path") : true;
}

const onlyOf = (verdicts: Verdicts, stages: (keyof Verdicts)[]): Verdicts =>
  Object.fromEntries(Object.entries(verdicts).filter(([stage]) => stages.includes(stage as keyof Verdicts)));

function removeHeader(headers: [string, string][], name: string): void {
  const kept = headers.filter(([other]) => other.toLowerCase() !== name);
  headers.splice(0, headers.length, ...kept);
}

/** The contract does not say whether a URL's length counts before or after encoding. */
function addressVerdicts(target: string): Verdicts {
  const { pathname, search } = new URL(`http://any${target}`);
  const lengths = [target.length, pathname.length + search.length];
  const over = lengths.filter((length) => length > ADDRESS_LIMIT).length;
  let decodes = true;
  try {
    decodes = !decodeURIComponent(target).includes("\0");
  } catch {
    decodes = false;
  }
  return { length: (["pass", "either", "fail"] as const)[over], decoding: decodes ? "pass" : "fail" };
}

/** `onlyInQuery` excludes paths, because an invalid path could become another valid one. */
function withUndecodable(draw: Draw, route: string, query: string, onlyInQuery: boolean): string {
  const piece = draw.pick(undecodable);
  const places = [
    () => `${route}${query}${query === "" ? "?" : "&"}x=${piece}`,
    () => `${route}${query}${query === "" ? "?" : "&"}${piece}=x`,
    () => `${route.replace(/[^/]*$/, (last) => `${last}${piece}`)}${query}`,
  ];
  return draw.pick(onlyInQuery ? places.slice(0, 2) : places)();
}

function lengthened(target: string, length: number): string {
  const start = `${target}${target.includes("?") ? "&" : "?"}x=`;
  return start.padEnd(length, "x");
}

/** A path outside the API that resembles one of its paths (contract 25). */
function noRoute(draw: Draw, { path, version }: Operation, filled: string): string {
  const base = `/api/external/${version}`;
  return draw.pick([
    () =>
      draw.pick([
        "/api/",
        "/api/external",
        "/api/external/",
        base,
        `${base}/`,
        "/api/external/v3/me",
        "/api/external/v2.0/me",
        "/api/v2/me",
      ]),
    () =>
      `${base}/${draw.pick(["nothing", "article", "users", "admin", "graphql", "openapi", "openapi.yaml", "..", "."])}`,
    () => `${filled}/`,
    () => `${filled}//`,
    () => `${filled}/x/y/z`,
    () => `${filled.replace(/^\/api/, "/api/")}`,
    () => filled.replace(/\/v(\d)\//, "//v$1/"),
    () => filled.replace("/external/", "/External/"),
    () => filled.replace("/external/", "/external/./"),
    () => filled.replace("/external/", "/x/../external/"),
    () => filled.replace("/external/", "/%2e%2e/external/"),
    () => filled.replace("/external/", "/external%2F"),
    () => filled.replace("/external/", "/external\\"),
    () => filled.replace("/external/", "/external;x=1/"),
    () => `${base}/${encoded(draw, draw.pick(["мой", "a b", "<script>", "'"]))}/x`,
    () => (path.includes("team") ? path.replace(/team./, path.includes("team-") ? "team_" : "team-") : `${base}/x`),
  ])();
}

/** A request with a known answer: its tag either matches or does not. */
function aRevisit(draw: Draw, world: World): RequestSample {
  const own = world.own[0]!;
  const { path, tag } = draw.pick(world.tags);
  const fits = draw.chance(0.7);
  const fitting = [tag, tag.replace(/^W\//, ""), `"x", ${tag}`, `${tag},`, `"x","y" , ${tag}, *`];
  const known = fits
    ? draw.pick(fitting)
    : draw.pick([`${tag}x`, tag.toLowerCase().replace("w/", "W/x"), 'W/"x"', tag.slice(0, -2)]);
  const method = draw.pick(["GET", "GET", "HEAD"]);
  const { headers: host } = aHost(draw, world, own, false);
  const key = aKey(draw, world, own, { write: false, permitted: true, bad: false });
  const version = /v\d/.exec(path)?.[0] ?? "";
  return {
    kind: "request",
    name: `${method} ${version} again`,
    method,
    path,
    headers: [...host, ...key.headers, ["If-None-Match", known]],
    limited: false,
    expected: [fits ? 304 : 200],
    invalidFields: [],
    documentedAs: path,
    toRival: false,
  };
}
