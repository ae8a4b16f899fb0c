/** Runs work that claims a unique name. The index decides between simultaneous claims. */
export async function unlessTaken<T>(refusal: () => Error, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isTaken(error)) throw refusal();
    throw error;
  }
}

export function isTaken(error: unknown): boolean {
  const { code, meta } = error as {
    code?: string;
    meta?: { driverAdapterError?: { cause?: { originalCode?: string } } };
  };
  return code === "P2002" || code === "23505" || meta?.driverAdapterError?.cause?.originalCode === "23505";
}
