/** Random draws that repeat for the same seed and index. */
export interface Draw {
  /** A whole number from `least` to `most`, both included. */
  int(least: number, most: number): number;
  chance(probability: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** Between `least` and `most` different items of a list, in any order. */
  some<T>(list: readonly T[], least: number, most?: number): T[];
  bytes(length: number): Buffer;
}

/** Random choices that depend on seed and index alone. */
export function drawing(seed: number, index: number): Draw {
  let state = mixed(mixed(seed >>> 0) ^ index);
  // Mulberry32: small, and uniform enough for choosing.
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  return {
    int,
    chance: (probability) => next() < probability,
    pick: (list) => {
      if (list.length === 0) throw new Error("There is nothing to choose from.");
      return list[int(0, list.length - 1)]!;
    },
    some: (list, least, most = list.length) => {
      const rest = [...list];
      const count = int(Math.min(least, rest.length), Math.min(most, rest.length));
      return Array.from({ length: count }, () => rest.splice(int(0, rest.length - 1), 1)[0]!);
    },
    bytes: (length) => Buffer.from(Array.from({ length }, () => int(0, 255))),
  };
}

/** Maps neighboring numbers far apart (the finalizer of MurmurHash3). */
function mixed(value: number): number {
  let hash = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
