/** Connections and processes to end when the program is interrupted. */
const endings = new Set<() => void>();
let interrupted = false;

/**
 * Names what has to end when the program is interrupted, so that what waits for it fails and cleans up after itself.
 * @returns to call when it has ended by itself
 * @throws when the program was interrupted already
 */
export function endsWithUs(end: () => void): () => void {
  if (interrupted) throw new Error("Interrupted.");
  endings.add(end);
  return () => endings.delete(end);
}

/** Ends everything that is under way; nothing new begins. */
export function interrupt(): void {
  interrupted = true;
  for (const end of endings) end();
}
