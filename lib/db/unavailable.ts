const prismaUnavailable = new Set(["P1001", "P1002", "P1008", "P1017", "P2024", "P2028", "P2034"]);
const socketUnavailable = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ETIMEDOUT",
  "EPIPE",
  "ENOTFOUND",
  "EHOSTUNREACH",
  "EAI_AGAIN",
]);

/** Prisma's adapter gives socket errors these kinds. */
const kindsUnavailable = new Set(["DatabaseNotReachable", "ConnectionClosed", "SocketTimeout"]);

interface Cause {
  originalCode?: string;
  kind?: string;
}

/** Whether an error says that the database is away, full or too slow (contract 61). */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, syscall } = error as { code?: unknown; syscall?: unknown };
  // A Unix socket is missing, or has too many waiting connections.
  if (syscall === "connect" && (code === "ENOENT" || code === "EAGAIN")) return true;
  if (
    typeof code === "string" &&
    (prismaUnavailable.has(code) || socketUnavailable.has(code) || isUnavailableState(code))
  )
    return true;
  const { meta, cause } = error as { meta?: { driverAdapterError?: { cause?: Cause } }; cause?: Cause };
  // Prisma does not wrap the adapter's error when a commit fails.
  const { originalCode, kind } = meta?.driverAdapterError?.cause ?? cause ?? {};
  if ((originalCode && isUnavailableState(originalCode)) || (kind && kindsUnavailable.has(kind))) return true;
  return /^timeout exceeded when trying to connect|^Connection terminated|^Client (has encountered a connection error|was closed)|^Cannot use a pool after calling end/.test(
    error.message,
  );
}

function isUnavailableState(state: string): boolean {
  return /^(57014|55P03|25P0[34]|40001|40P01|57P0\d|53...|08...)$/.test(state);
}
