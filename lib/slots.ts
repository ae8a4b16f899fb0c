/** Limits how much of some work runs at the same time in this process, per name and in all. */
export class Slots {
  readonly #taken = new Map<string, number>();
  #all = 0;

  constructor(
    private readonly perName: number,
    private readonly inAll = Number.POSITIVE_INFINITY,
  ) {}

  /** @returns a function that frees the slot, once, or null if none is free */
  take(...names: string[]): (() => void) | null {
    const full = names.some((name) => (this.#taken.get(name) ?? 0) >= this.perName);
    if (full || this.#all >= this.inAll) return null;
    this.#all++;
    for (const name of names) this.#taken.set(name, (this.#taken.get(name) ?? 0) + 1);
    return () => {
      this.#all--;
      for (const name of names) {
        const left = (this.#taken.get(name) ?? 1) - 1;
        if (left > 0) this.#taken.set(name, left);
        else this.#taken.delete(name);
      }
    };
  }
}
