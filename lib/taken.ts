/**
 * Does what gives somebody a name or an address that only one may have. Of two who want it at once, neither sees the
 * other's: the index decides.
 * @throws what `refusal` makes, for the one who came second; what `work` throws
 */
export async function unlessTaken<T>(refusal: () => Error, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isTaken(error)) throw refusal();
    throw error;
  }
}

/** Whether an error of Prisma says that a unique index refused a row. */
export function isTaken(error: unknown): boolean {
  const { code, meta } = error as {
    code?: string;
    meta?: { driverAdapterError?: { cause?: { originalCode?: string } } };
  };
  return code === "P2002" || meta?.driverAdapterError?.cause?.originalCode === "23505";
}
