import type { Draw } from "../draw";
import { bytesOf } from "../sample";
import {
  answered,
  anything,
  ascii,
  head,
  me,
  patched,
  redirects,
  refusals,
  type ShapeInput,
  type Shapes,
} from "./shape";

/** Uses of a connection: several requests, parts of one, none at all. */
export function connections({ draw, drawn, get, patch }: ShapeInput): Shapes {
  const late = `late-${draw.int(0, 1e9)}`;
  return {
    garbage: () => ({ pieces: [draw.bytes(draw.int(1, 2_000))] }),
    "another protocol": () => ({
      pieces: [
        draw.pick([
          ascii("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), Buffer.from("16030100a5010000a10303", "hex"), ascii("SSH-2.0-x\r\n"), ascii("EHLO x\r\n"),
          ascii("RTSP/1.0 200 OK\r\n\r\n"), ascii("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"), ascii("\r\n\r\n\r\n"), Buffer.alloc(100),
          ascii("PROXY TCP4 1.2.3.4 1.2.3.4 1 2\r\n"), ascii("*1\r\n$4\r\nPING\r\n"), ascii("GET\r\n\r\n"), ascii("\u0004\u0001\u0000P"),
        ]), // biome-ignore format: a list reads best as lines
      ],
    }),
    nothing: () => ({ pieces: [] }),
    "a truncated request": () => {
      const whole = bytesOf(drawn());
      return { pieces: [whole.subarray(0, draw.int(0, whole.length - 1))], expected: anything, answers: [0, 2] };
    },
    "a request whose sender is gone": () => {
      const whole = bytesOf(drawn());
      return { pieces: [whole.subarray(0, draw.int(1, whole.length))], abandons: true };
    },
    "a mutated request": () => ({
      pieces: [mutated(draw, bytesOf(drawn()))],
      expected: [...anything, ...redirects],
      answers: [0, 20],
      isElsewhere: true,
    }),
    "a byte at a time": () => ({ ...answered(get(), 200), pieces: [...get()].map((byte) => Buffer.from([byte])) }),
    pipelining: () => {
      const count = draw.int(2, 30);
      const requestIds = Array.from({ length: count }, (_, place) => `p${place}`);
      const paths = [
        me,
        "/api/external/v2/setting",
        "/api/external/v1/articles?page_size=1",
        "/api/external/v2/search?search_term=a",
      ];
      const requests = requestIds.map((id) => get(draw.pick(paths), `X-Request-Id: ${id}`));
      return {
        pieces: [Buffer.concat(requests)],
        answersAwaited: count,
        answers: [count, count],
        expected: [200],
        requestIds,
      };
    },
    "pipelining that ends badly": () => {
      const end = draw.pick([
        ascii("BREW / HTTP/1.1\r\n\r\n"),
        draw.bytes(50),
        get().subarray(0, 40),
        head("GET * HTTP/1.1"),
      ]);
      const requests = Array.from({ length: draw.int(1, 5) }, () => get());
      return {
        pieces: [Buffer.concat([...requests, end])],
        answersAwaited: requests.length + 1,
        answers: [0, requests.length + 1],
        expected: [200, ...refusals],
        isElsewhere: true,
      };
    },
    "one after the other": () => ({
      pieces: [get("/api/external/v2/nothing"), patch('{"a":', "Content-Length: 5"), get(me)],
      answersAwaited: 3,
      answers: [3, 3],
      expected: [404, ...patched, 200],
    }),
    "more after the last request": () => ({
      pieces: [Buffer.concat([get(me, "Connection: close"), get(me, `X-Request-Id: ${late}`)])],
      answersAwaited: 1,
      answers: [1, 1],
      expected: [200],
      hidden: late,
    }),
  };
}

/** A few bytes changed, inserted or taken out. */
function mutated(draw: Draw, bytes: Buffer): Buffer {
  let result = Buffer.from(bytes);
  for (let times = draw.int(1, 6); times > 0 && result.length > 0; times--) {
    const at = draw.int(0, result.length - 1);
    const [before, after] = [result.subarray(0, at), result.subarray(at)];
    result = draw.pick([
      () => Buffer.concat([before, draw.bytes(1), after.subarray(1)]),
      () => Buffer.concat([before, draw.bytes(draw.int(1, 4)), after]),
      () => Buffer.concat([before, after.subarray(draw.int(1, 8))]),
      () => Buffer.concat([before, after, after.subarray(0, 50)]),
      () => Buffer.concat([before, ascii(draw.pick(["\r\n", "\r\n\r\n", "\n", " ", "\u0000", ":", "%", "/"])), after]),
    ])();
  }
  return result;
}
