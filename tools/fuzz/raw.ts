import type { Draw } from "./draw";
import { bodies } from "./raw/bodies";
import { connections } from "./raw/connections";
import { heads } from "./raw/heads";
import { refusals, shapeInput } from "./raw/shape";
import { piecesOf, type RawSample, type RequestSample } from "./sample";
import type { World } from "./world";

/** Malformed or borderline HTTP, from a list of shapes that have broken servers. */
export function aRawSample(draw: Draw, world: World, drawn: () => RequestSample): RawSample {
  const input = shapeInput(draw, world, drawn);
  const shapes = { ...heads(input), ...bodies(input), ...connections(input) };
  const name = draw.pick(Object.keys(shapes));
  const shape = shapes[name]!();
  const pieces = draw.chance(0.2) ? shape.pieces.flatMap((piece) => torn(draw, piece)) : shape.pieces;
  return {
    kind: "raw",
    name: `raw: ${name}`,
    answersAwaited: 0,
    answers: [0, 1],
    expected: refusals,
    limited: false,
    ...shape,
    pieces,
  };
}

/** Cut in the middle of a line. */
function torn(draw: Draw, bytes: Buffer): Buffer[] {
  const sizes = Array.from({ length: draw.int(1, 6) }, () => draw.int(1, 1 + Math.floor(bytes.length / 3)));
  return piecesOf(bytes, sizes);
}
