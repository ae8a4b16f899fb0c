import { answered, anything, ascii, head, me, redirects, type ShapeInput, type Shapes } from "./shape";

/** Request lines, targets, hosts and headers. */
export function heads({ draw, host, key, get }: ShapeInput): Shapes {
  const line = (text: string) => head(text, `Host: ${host}`);
  const many = (count: number) => get(me, ...Array.from({ length: count }, (_, place) => `x${place}: y`));
  return {
    "a request line over the limit": () =>
      answered(get(`${me}?x=${"x".repeat(draw.pick([8_192, 10_000, 60_000]))}`), 414),
    "a head over the limit": () => ({
      pieces: [get(`${me}?x=${"x".repeat(draw.pick([66_000, 200_000]))}`)],
      expected: [431],
    }),
    "a header over the limit": () => ({
      pieces: [get(me, `X-Long: ${"x".repeat(draw.pick([66_000, 300_000]))}`)],
      expected: [431],
    }),
    "many headers": () => answered(many(draw.pick([100, 1_000, 1_999, 2_500])), 200),
    "a flood of headers": () => ({ pieces: [many(20_000)], expected: [431] }),
    "a malformed request line": () => ({
      pieces: [
        draw.pick([
          line(`GET ${me}`), line(`GET ${me} HTTP/1.1 x`), line(`GET  ${me} HTTP/1.1`), line(` GET ${me} HTTP/1.1`), line(`GET ${me}HTTP/1.1`),
          line(`GET ${me} HTTP/9.9`), line(`GET ${me} HTTP/1`), line(`GET ${me} http/1.1`), line(`GET ${me} HTTPS/1.1`), line(`GET ${me} HTTP/0.9`),
          line(`GET ${me} HTTP/1.1\u0000`), line(`get ${me} HTTP/1.1`), line(`BREW ${me} HTTP/1.1`), line(`${"G".repeat(9_000)} ${me} HTTP/1.1`),
          line(`G\u0000ET ${me} HTTP/1.1`), line(`GET ${me}\u0000 HTTP/1.1`), line(`GET\t${me}\tHTTP/1.1`), line(`GET ${me} HTTP/1.2`),
          line(`GET ${me} HTTP/2`), line(`GET ${me} HTTP/1.10`), line(`GET\u00a0${me} HTTP/1.1`), line(`:GET ${me} HTTP/1.1`),
        ]), // biome-ignore format: a list reads best as lines
      ],
      expected: anything,
    }),
    "a malformed header": () => ({
      pieces: [
        draw.pick([
          get(me, "no colon"), get(me, ": no name"), get(me, "a b: c"), get(me, "X\u0000: y"), get(me, "X: y\u0000z"), get(me, "X : y"), get(me, " folded"),
          get(me, "X: a\u0001b"), get(me, "X: a\rb"), get(me, "X(): y"), get(me, "\u00e9: y"), get(me, "\tX: y"), get(me, "X: \u007f"), get(me, "X:y"),
          get(me, "X: \u00ff"), get(me, "=: y"), get(me, "X: y\r\n\r"), get(me, "X:\r\n y"), get(me, ":"), get(me, "\u0000"),
        ]), // biome-ignore format: a list reads best as lines
      ],
      expected: anything,
      answers: [0, 2],
    }),
    "bare line ends": () => ({
      pieces: [
        ascii(
          get()
            .toString("latin1")
            .replaceAll("\r\n", draw.pick(["\n", "\r", "\n\r"])),
        ),
      ],
      expected: anything,
    }),
    "a host that is odd": () => {
      const odd = draw.pick([
        "", " ", "a b", "[::1", "[::1]:3000", `${host}:3000:80`, `x@${host}`, "é", "a,b", "%", "%00", "\t", "x".repeat(9_000), "//", `${host}\\x`,
      ]); // biome-ignore format: a list reads best as lines
      return answered(head(`GET ${me} HTTP/1.1`, `Host: ${odd}`), 400, 404);
    },
    "several hosts": () => {
      const other = draw.pick([host, "example.com", ""]);
      return answered(
        head(`GET ${me} HTTP/1.1`, `Host: ${host}`, `Host: ${other}`, `X-Api-Key: ${key}`),
        200,
        400,
        404,
      );
    },
    "no host": () => answered(head(`GET ${me} HTTP/1.1`, `X-Api-Key: ${key}`), 400, 404),
    "HTTP/1.0": () => {
      const keep = draw.pick([[], ["Connection: keep-alive"]]);
      return answered(head(`GET ${me} HTTP/1.0`, ...keep, `X-Api-Key: ${key}`), 404);
    },
    "HTTP/1.0 with a host": () => answered(head(`GET ${me} HTTP/1.0`, `Host: ${host}`, `X-Api-Key: ${key}`), 200),
    "a whole address": () => {
      const target = `${draw.pick(["http", "https", "HTTP"])}://${host}${me}`;
      const other = draw.pick([host, "example.com"]);
      return answered(head(`GET ${target} HTTP/1.1`, `Host: ${other}`, `X-Api-Key: ${key}`), 200);
    },
    "a target that is no path": () => {
      const method = draw.pick(["GET", "OPTIONS", "POST", "TRACE"]);
      const target = draw.pick([
        "*", host, `${host}:443`, "ftp://x/", "http://", "http:///", `http:${me}`, "//", `//${host}${me}`, "?x", "#", "http://[::1/", "http://a b/",
        "javascript:1", "\\", "http://%00/", `http://user:pw@${host}/`, "data:,x", ";", "..", "/../../..", "/%", "/\u00ff", `http://${host}`, "me",
      ]); // biome-ignore format: a list reads best as lines
      return {
        pieces: [line(`${method} ${target} HTTP/1.1`)],
        answersAwaited: 1,
        expected: [...anything, ...redirects],
        isElsewhere: true,
      };
    },
    "a page": () => {
      const method = draw.pick(["GET", "GET", "HEAD", "OPTIONS", "TRACE", "POST", "DELETE", "PROPFIND"]);
      const path = draw.pick([
        "/", "/articles/x", "/categories/x", "/search?q=x", "/nothing", "/%", "/%00", "//", "/..", "/api", "/_next/x", "/sites/x", "/admin", "/developers",
        "/healthz", "/readyz", "/metrics", "/favicon.ico", "/robots.txt", "/api/auth/session",
      ]); // biome-ignore format: a list reads best as lines
      return {
        pieces: [line(`${method} ${path} HTTP/1.1`)],
        // An answer to HEAD has a Content-Length without a body.
        answersAwaited: method === "HEAD" ? 0 : 1,
        answers: method === "HEAD" ? [0, 1] : [1, 1],
        expected: [...anything, ...redirects],
        isElsewhere: true,
        ...(method === "HEAD" && { abandons: true }),
      };
    },
    CONNECT: () => {
      const target = draw.pick([host, "example.com:443", "127.0.0.1:5432", "/", "*", me]);
      return { pieces: [line(`CONNECT ${target} HTTP/1.1`)] };
    },
    Upgrade: () => {
      const headers = draw.pick([
        ["Upgrade: websocket", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13"],
        ["Upgrade: h2c", "HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA"],
        ["Upgrade: x"],
      ]);
      return answered(get(me, "Connection: Upgrade", ...headers), 200);
    },
    "Upgrade of a page": () => ({
      ...answered(
        get(draw.pick(["/", "/articles/x", "/_next/hmr", "/nothing"]), "Connection: Upgrade", "Upgrade: x"),
        200,
      ),
      expected: [...anything, ...redirects],
      isElsewhere: true,
    }),
    "another expectation": () => answered(get(me, `Expect: ${draw.pick(["x", "200-ok", "", "100-continue;x"])}`), 200),
    "empty lines before": () => answered(Buffer.concat([ascii("\r\n".repeat(draw.int(1, 5))), get()]), 200),
  };
}
