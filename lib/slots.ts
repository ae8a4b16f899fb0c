/** Places for work that a process does only so much of at once, for each of those it is done for and in all. */
export class Slots {
  readonly #taken = new Map<string, number>();
  #all = 0;

  /**
   * @param ofOne how many one of those may have
   * @param ofProcess how many there are in all
   */
  constructor(
    private readonly ofOne: number,
    private readonly ofProcess = Number.POSITIVE_INFINITY,
  ) {}

  /**
   * Takes a place.
   * @param whose all that it counts for
   * @returns what gives it back, once; null when none is free
   */
  take(...whose: string[]): (() => void) | null {
    const full = whose.some((one) => (this.#taken.get(one) ?? 0) >= this.ofOne);
    if (full || this.#all >= this.ofProcess) return null;
    this.#all++;
    for (const one of whose) this.#taken.set(one, (this.#taken.get(one) ?? 0) + 1);
    return () => {
      this.#all--;
      for (const one of whose) {
        const left = (this.#taken.get(one) ?? 1) - 1;
        if (left > 0) this.#taken.set(one, left);
        else this.#taken.delete(one);
      }
    };
  }
}
