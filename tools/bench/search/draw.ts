/** Random draws that repeat for the same numbers. */
export interface Draw {
  /** From 0 up to, but not including, 1. */
  next(): number;
  /** A whole number from 0 up to, but not including, `end`. */
  below(end: number): number;
  chance(probability: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** From the normal distribution around 0 with deviation 1. */
  normal(): number;
}

/** Random choices that depend on these numbers alone, such as a workspace's content and an article's position. */
export function drawing(...numbers: readonly number[]): Draw {
  let state = 0x9e3779b9;
  for (const number of numbers) state = mixed(state ^ mixed(number | 0));
  // Mulberry32: small, and uniform enough for generating words.
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number) => Math.floor(next() * end);
  return {
    next,
    below,
    chance: (probability) => next() < probability,
    pick: <T>(list: readonly T[]) => {
      if (list.length === 0) throw new Error("There is nothing to choose from.");
      return list[below(list.length)] as T;
    },
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
  };
}

/** Maps neighboring numbers far apart (the finalizer of MurmurHash3). */
export function mixed(value: number): number {
  let hash = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
