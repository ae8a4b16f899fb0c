import type { Draw } from "./draw";
import { hostOf, type Verdict } from "./sample";
import type { Workspace, World } from "./world";

/** Headers of one kind, and the contract's verdict on them. */
interface Part {
  headers: [string, string][];
  verdict: Verdict;
}

const named = (name: string, value: string, verdict: Verdict): Part => ({ headers: [[name, value]], verdict });

/** The Host header: a spelling of the workspace's own host, or a host without a workspace. */
export function aHost(draw: Draw, { domain, rival }: World, own: Pick<Workspace, "subdomain">, bad: boolean): Part {
  const host = hostOf(own, domain);
  const [name, port] = [host.replace(/:\d+$/, ""), /\d+$/.exec(domain)?.[0] ?? "80"];
  const header = draw.pick(["Host", "Host", "host", "HOST"]);
  if (!bad)
    return named(
      header,
      draw.pick([host, host, host, host.toUpperCase(), name, `${name}:`, `${name}:1`, `${name}.:${port}`]),
      "pass",
    );
  const label = own.subdomain;
  const plain = domain.replace(/:\d+$/, "");
  return named(
    header,
    draw.pick([
      domain, `www.${domain}`, `api.${domain}`, `no-such-workspace.${domain}`, `${rival.subdomain}x.${domain}`, `x.${host}`, `.${host}`,
      `${label}`, `${label}.example.com`, `${host}.example.com`, "127.0.0.1", "127.0.0.1:3000", "[::1]:3000", "0", "example.com", "", " ",
      `${label}..${domain}`, `-${host}`, `_${host}`, `${label}%00.${domain}`, `${label}%2e${domain}`, `${label} .${domain}`,
      `${host}/`, `/${host}`, `${host}?x`, `${host}#x`, `user@${host}`, `${host}, ${host}`, `${label}\\.${domain}`, `xn--${host}`,
      `*.${domain}`, `'.${domain}`, `${"a".repeat(63)}.${domain}`, `${"a".repeat(64)}.${domain}`, `${"a.".repeat(500)}${domain}`, "é.localhost",
      `${label}.${plain}:3000:3000`, `${label}.${plain}:x`, `${label}.${plain}..`, "null", "__proto__", `constructor.${domain}`,
    ]),
    "fail",
  ); // biome-ignore format: a list reads best as lines
}

/** The key of a request, valid or invalid in one of many ways. */
export function aKey(
  draw: Draw,
  world: World,
  own: Workspace,
  wants: { write: boolean; permitted: boolean; bad: boolean },
): Part {
  const header = draw.pick(["X-Api-Key", "X-Api-Key", "x-api-key", "X-API-KEY"]);
  const { read, readWrite } = own.keys;
  const good = wants.write
    ? wants.permitted
      ? readWrite
      : read
    : draw.pick([read, readWrite].filter((key) => key !== null));
  if (!wants.bad && good)
    return named(header, draw.pick([good, good, good, ` ${good}`, `${good} `, `\t${good}`]), "pass");
  const any = read ?? readWrite ?? "kb_";
  const others = world.own.filter((one) => one !== own).flatMap(({ keys }) => [keys.read, keys.readWrite]);
  const kept = [...own.formerKeys, ...own.formerKeys, world.rival.key, ...others].filter((key) => key !== null);
  const text = draw.pick([
    ...kept, "", " ", "x", "null", "kb_", "Bearer", `Bearer ${any}`, `"${any}"`, any.slice(0, -1), `${any}0`, any.slice(3), any.toUpperCase(),
    any.replace("kb_", "KB_"), any.replace(/.$/, "!"), `${any},${any}`, `${any}, ${any}`, `${any};`, `kb_${"0".repeat(38)}`, "é\u00ff",
    "' OR '1'='1", "%00", "kb_%", "a".repeat(5_000), any.split("").reverse().join(""), `${any.slice(0, 20)} ${any.slice(20)}`,
  ]); // biome-ignore format: a list reads best as lines
  return draw.pick<() => Part>([
    () => named(header, text, "fail"),
    () => named(header, text, "fail"),
    () => ({ headers: [], verdict: "fail" }),
    () => named("Authorization", `Bearer ${any}`, "fail"),
    () => named("Api-Key", any, "fail"),
    () => named("Cookie", `X-Api-Key=${any}`, "fail"),
    () => ({ headers: [[header, any], [header, any]], verdict: "fail" }),
  ])(); // biome-ignore format: a list reads best as lines
}

const json = [
  "application/json",
  "application/json; charset=utf-8",
  'APPLICATION/JSON;charset="UTF-8"',
  "application/merge-patch+json",
];

/** The Accept header (contract 27). */
export function anAccept(draw: Draw, bad: boolean): Part {
  if (bad) {
    return named(
      "Accept",
      draw.pick([
        "text/html", "text/*", "application/xml", "application/jsonx", "application/json+x", "image/*;q=0.8", "x", "json", "application",
        "application/json;q=0", "text/html, */*;q=0", "application/json; q=0.000", "text/html;x=application/json", "a".repeat(3_000),
      ]),
      "fail",
    ); // biome-ignore format: a list reads best as lines
  }
  if (draw.chance(0.3)) return { headers: [], verdict: "pass" };
  if (draw.chance(0.05)) {
    return named(
      "Accept",
      draw.pick(["application/json;q=0, */*", "application/*;q=0, application/json", "*", ",", "application/json;q=x"]),
      "either",
    );
  }
  return named(
    "Accept",
    draw.pick([
      "application/json", "application/json", "*/*", "application/*", "application/json; charset=utf-8", "", " ", "APPLICATION/JSON",
      "text/html, application/json;q=0.5", "*/*;q=0.001", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "application/json,",
    ]),
    "pass",
  ); // biome-ignore format: a list reads best as lines
}

/** The Content-Type of a body (contract 26). */
export function aContentType(draw: Draw, bad: boolean): Part {
  if (!bad) return named("Content-Type", draw.pick(json), "pass");
  if (draw.chance(0.2)) return { headers: [], verdict: "fail" };
  return named(
    "Content-Type",
    draw.pick([
      "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/json-patch+json", "json", "",
      "application/xml", "text/json", "application/octet-stream", "x".repeat(2_000), "application/json2", "charset=utf-8",
    ]),
    "fail",
  ); // biome-ignore format: a list reads best as lines
}

/** If-Match and If-None-Match that match any current state, or none that ever existed. */
export function aTag(draw: Draw, fits: boolean): string {
  if (fits) return draw.pick(["*", " * ", '"x", *']);
  return draw.pick([
    'W/"stale"', '"stale"', "stale", "", " ", '""', "W/", 'W/""', '"', '"a', ",", ",,,", '"*"x', "é", "null", `"${"x".repeat(3_000)}"`,
    Array.from({ length: draw.int(2, 300) }, (_, place) => `W/"${place}"`).join(", "), 'w/"x"', "'; --", "2020-01-01",
  ]); // biome-ignore format: a list reads best as lines
}

/** An Idempotency-Key, new unless it is bad (contract 67). */
export function anIdempotencyKey(draw: Draw, unique: string, bad: boolean): string {
  if (bad) return draw.pick(["", " ", "a b", "x".repeat(256), "é", "a,\tb", "x".repeat(5_000)]);
  return draw.pick([
    unique,
    `"${unique}"`,
    `${unique}-${"x".repeat(200)}`,
    ` ${unique}`,
    `'; -- ${unique}`.replaceAll(" ", ""),
  ]);
}

/** An X-Request-Id that the server must return, or must not (contract 60). */
export function aRequestId(draw: Draw, sane: boolean): string {
  if (sane) return draw.pick(["fuzz", "a", "0", "A.b:c_d-e", "x".repeat(100), "__proto__", "-", ":"]).slice(0, 100);
  return draw.pick([
    "",
    " ",
    "a b",
    "x".repeat(101),
    "é",
    "<script>",
    "a,b",
    "a/b",
    "x".repeat(4_000),
    "%0d%0a",
    '"x"',
    "{}",
  ]);
}

/** Headers that change nothing. */
export function noise(draw: Draw, world: World): [string, string][] {
  const { rival, domain } = world;
  const theirs = hostOf(rival, domain);
  return draw.some<[string, string]>(
    [
      ["User-Agent", draw.pick(["curl/8", "", "Mozilla/5.0", "() { :;}; echo", "x".repeat(2_000)])],
      ["Content-Type", draw.pick([...json, "text/plain", "x"])], ["Cookie", draw.pick(["a=b", "=", "__Host-x=y; x", "x".repeat(3_000)])],
      ["Origin", draw.pick(["null", "https://example.com", `http://${theirs}`])], ["Referer", "https://example.com/"],
      ["Accept-Encoding", draw.pick(["gzip, br", "identity;q=0", "*;q=0", "x"])], ["Accept-Language", "de, en;q=0.5"],
      ["Accept-Charset", "iso-8859-1"], ["Range", draw.pick(["bytes=0-1", "bytes=5-2", "x"])], ["If-Range", '"x"'],
      ["If-Modified-Since", "Sat, 31 Jan 2026 09:30:00 GMT"], ["If-Unmodified-Since", "Sat, 31 Jan 1970 09:30:00 GMT"],
      ["X-Forwarded-Host", draw.pick([theirs, "example.com", ""])], ["X-Forwarded-For", draw.pick(["1.2.3.4", "x", "::1, ::2"])],
      ["X-Forwarded-Proto", "https"], ["Forwarded", `for=1.2.3.4;host=${theirs}`], ["X-Real-Ip", "1.2.3.4"], ["X-Original-Url", "/"],
      ["X-Rewrite-Url", "/api/external/v2/nothing"], ["X-HTTP-Method-Override", draw.pick(["DELETE", "PATCH"])], ["X-Workspace", rival.subdomain],
      ["Authorization", draw.pick(["Bearer x", "Basic eDp5", "x"])], ["Via", "1.1 x"], ["Max-Forwards", "0"], ["TE", "trailers"],
      ["Prefer", "return=minimal"], ["Cache-Control", draw.pick(["no-cache", "only-if-cached", "max-age=x"])], ["Pragma", "no-cache"],
      ["Upgrade-Insecure-Requests", "1"], ["Sec-Fetch-Mode", "navigate"], ["__proto__", "x"], ["constructor", "x"], ["X-Empty", ""],
      ["Date", "x"], ["Link", "<x>; rel=y"], ["Next-Action", "x"], ["RSC", "1"], ["x-middleware-subrequest", "middleware:middleware"],
      ["x-nextjs-data", "1"], ["x-invoke-path", "/"], ["Traceparent", "00-x-y-z"], ["X-Latin", "\u00e9\u00ff"], ["!#$%&'*+.^_`|~", "x"],
    ],
    0,
    draw.chance(0.1) ? 20 : 2,
  ); // biome-ignore format: a list reads best as lines
}
