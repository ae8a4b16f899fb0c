import { type Network, send } from "@/lib/outgoing/send";

/** How long an attempt may take, from DNS to the response, in milliseconds. */
const ATTEMPT_MS = 15_000;
/** Bytes of a response that are read and kept. */
const KEPT_BYTES = 2_048;

export interface Outcome {
  /** Null without a response. */
  status: number | null;
  /** The beginning of the response's body. */
  response: string;
  /** Why there is no response, or why it counts as a failure, as a sentence. */
  problem: string | null;
  tookMs: number;
  /** The header Retry-After. */
  retryAfter: string | undefined;
}

/**
 * Posts once to an address of the public internet.
 * @param stop ends the attempt and throws the signal's reason, because the outcome is unknown
 */
export async function post(
  address: string,
  message: { headers: Record<string, string>; body: string },
  { ms = ATTEMPT_MS, ...options }: { network?: Network; stop?: AbortSignal; ms?: number } = {},
): Promise<Outcome> {
  const started = performance.now();
  const { status, body, headers, problem } = await send(
    address,
    { method: "POST", ...message },
    { most: KEPT_BYTES, ms, ...options },
  );
  return {
    status,
    // PostgreSQL stores no NUL.
    response: body.toString("utf8").replaceAll("\0", "�"),
    retryAfter: headers["retry-after"],
    problem,
    tookMs: Math.round(performance.now() - started),
  };
}
