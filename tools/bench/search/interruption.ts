/** Connections and processes to end when the program is interrupted. */
const endings = new Set<() => void>();
let interrupted = false;

/**
 * Registers something to end when the program is interrupted. Code that waits for it then fails and cleans up.
 * @returns a function to call when it has ended normally
 * @throws after an interruption
 */
export function endsWithUs(end: () => void): () => void {
  if (interrupted) throw new Error("Interrupted.");
  endings.add(end);
  return () => endings.delete(end);
}

/** Ends everything that is registered. Nothing new may start. */
export function interrupt(): void {
  interrupted = true;
  for (const end of endings) end();
}
