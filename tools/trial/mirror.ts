import { isDeepStrictEqual } from "node:util";
import { changeAndMirror } from "@/testing/mirror";

const EVERY = 500;

/** Follows random writes through the API's changes alone. @returns whether every copy equaled the workspace */
export async function tryMirroring(writes: number, tell: (line: string) => void): Promise<boolean> {
  let isEqual = true;
  await changeAndMirror({ writes, every: Math.min(EVERY, writes) }, ({ whole, visible }, done) => {
    const same = [whole, visible].map(({ copied, listed }) => isDeepStrictEqual(copied, listed));
    isEqual &&= !same.includes(false);
    tell(
      `${done} of ${writes} writes: ${whole.listed.length} articles, ${visible.listed.length} of them public. ${
        same.includes(false) ? "A copy differs" : "Both copies are equal"
      }.`,
    );
  });
  return isEqual;
}
