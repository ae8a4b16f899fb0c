import { chunked } from "../sample";
import { words } from "../texts";
import {
  answered,
  anything,
  ascii,
  head,
  me,
  patched,
  refusals,
  type Shape,
  type ShapeInput,
  type Shapes,
} from "./shape";

/** Body lengths, and requests hidden in a body. */
export function bodies({ draw, host, key, get, patch }: ShapeInput): Shapes {
  const hidden = `hidden-${draw.int(0, 1e9)}`;
  const inside = `GET ${me} HTTP/1.1\r\nHost: ${host}\r\nX-Api-Key: ${key}\r\nX-Request-Id: ${hidden}\r\n\r\n`;
  const refused = [...refusals, ...patched];
  /** An ambiguous length. A request hidden behind it must not be answered. */
  const smuggled = (headers: string[], body: string): Shape => ({
    pieces: [patch(body, ...headers)],
    answersAwaited: 1,
    expected: refused,
    hidden,
  });
  return {
    "two lengths": () => {
      const other = draw.pick([0, 1, inside.length + 1]);
      return smuggled([`Content-Length: ${inside.length}`, `Content-Length: ${other}`], inside);
    },
    "a length and chunks": () => {
      const coding = draw.pick(["chunked", "Chunked", " chunked", "\tchunked"]);
      const both = [`Content-Length: ${draw.pick([0, 4, 5, 1_000])}`, `Transfer-Encoding: ${coding}`];
      return smuggled(draw.some(both, 2), `0\r\n\r\n${inside}`);
    },
    "an encoding that is odd": () => {
      const name = draw.pick([
        "Transfer-Encoding:",
        "Transfer-Encoding :",
        "Transfer-Encoding\t:",
        "\tTransfer-Encoding:",
      ]);
      const coding = draw.pick([
        "xchunked", "chunked, identity", "identity, x", "gzip", "chunked;x", "\u000bchunked", "chunke", "chunked\u0000", '"chunked"', "chunked x", ",",
      ]); // biome-ignore format: a list reads best as lines
      return smuggled([`${name} ${coding}`], `0\r\n\r\n${inside}`);
    },
    "a length that is none": () => {
      const length = draw.pick([
        "-1", "+5", "5, 5", "5,6", "0x5", "1e1", "5.0", "18446744073709551616", "five", "5 5", "٥", "5;x", "NaN", "9".repeat(50), "\u000b5",
      ]); // biome-ignore format: a list reads best as lines
      return { pieces: [patch('{"a":', `Content-Length: ${length}`)], expected: refused };
    },
    "a length that is too long": () => {
      const length = draw.pick([3, 100, 65_536, 65_537, 2 ** 40]);
      // Refused first for its key, and then for its end.
      return { pieces: [patch("{}", `Content-Length: ${length}`)], answers: [0, 2], expected: refused };
    },
    "a length that is too short": () => ({
      pieces: [patch(`{"first_name":"${"x".repeat(50)}"}`, "Content-Length: 5")],
      answersAwaited: 1,
      answers: [0, 2],
      expected: refused,
    }),
    "chunks that are malformed": () => {
      const chunks = draw.pick([
        "x\r\n", "-1\r\n{}\r\n0\r\n\r\n", "2\r\n{}0\r\n\r\n", "2\n{}\n0\n\n", "fffffffffffffffff\r\n{}\r\n", "7fffffffffffffff\r\n{}", "0\r\n\r\n",
        "2 \r\n{}\r\n0\r\n\r\n", "0x2\r\n{}\r\n0\r\n\r\n", "\r\n{}\r\n0\r\n\r\n", "2;\r\n{}\r\n0\r\n\r\n", "2\r\n{}\r\n", "2\r\n{}\r\n0\r\n",
        `2;${"x".repeat(20_000)}\r\n{}\r\n0\r\n\r\n`, "2\r\n{}\r\n0\r\nX: y\r\n\r\n", `2\r\n{}\r\n0\r\n${"X: y\r\n".repeat(3_000)}\r\n`,
        "2\r\n{}\r\n0\r\nContent-Length: 9\r\n\r\n", "00000000000000000002\r\n{}\r\n0\r\n\r\n", '2;a="\r\n"\r\n{}\r\n0\r\n\r\n',
      ]); // biome-ignore format: a list reads best as lines
      return { pieces: [patch(chunks, "Transfer-Encoding: chunked")], expected: anything, answers: [0, 2] };
    },
    "a body in tiny chunks": () => {
      const body = Buffer.from(JSON.stringify({ unknown: draw.pick(words) }));
      const tiny = chunked(body, Array<number>(body.length).fill(1));
      return answered(Buffer.concat([patch("", "Transfer-Encoding: chunked"), tiny]), ...patched);
    },
    "a body that a GET has": () => {
      const body = draw.pick([inside, "x".repeat(100_000)]);
      return { ...answered(Buffer.concat([get(me, `Content-Length: ${body.length}`), ascii(body)]), 200), hidden };
    },
    "a refused body and the next": () => {
      const size = draw.pick([10, 1_000, 60_000, 65_537, 200_000]);
      const start = head(
        `PATCH /api/external/v2/team-members/x HTTP/1.1`,
        `Host: ${host}`,
        "Content-Type: application/json",
        `Content-Length: ${size}`,
      );
      return {
        pieces: [start, Buffer.alloc(size, "x"), get(me)],
        answersAwaited: 2,
        answers: [2, 2],
        expected: [401, 200],
      };
    },
    "Expect: 100-continue": () => {
      const expectation = draw.pick(["100-continue", "100-Continue", "100-continue, x"]);
      return {
        pieces: [patch("", "Content-Length: 2", `Expect: ${expectation}`), ascii("{}")],
        answersAwaited: 1,
        answers: [1, 1],
        expected: patched,
      };
    },
  };
}
