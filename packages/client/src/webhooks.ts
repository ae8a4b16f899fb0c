/** An event that Lectern sends to a webhook. The fields of `data` depend on `type`. */
export interface WebhookEvent {
  /** Such as "article.published". */
  type: string;
  /** When it happened, in UTC. */
  timestamp: string;
  data: { [name: string]: unknown; actor: { kind: string; id: string | null; name?: string } };
}

export interface WebhookRequest {
  /** The request's headers, as an object or the `Headers` of `fetch`. */
  headers: Headers | Record<string, string | string[] | undefined>;
  /** The body as it arrived. Parsing and writing it again would break the signature. */
  body: string | Uint8Array;
}

/** The request is not a webhook from Lectern, or is too old. Answer 400 or 401. */
export class WebhookVerificationError extends Error {
  override name = "WebhookVerificationError";
}

const PREFIX = "whsec_";
const TOLERANCE_SECONDS = 5 * 60;

/**
 * Verifies a request of Standard Webhooks, and returns its event. The header `webhook-id` is the same when an event is sent
 * again. Skip those that you have handled.
 * @param secrets the webhook's secret, which begins with `whsec_`. While you rotate it, pass both
 * @throws WebhookVerificationError for a wrong signature, or a timestamp that is more than five minutes off
 */
export async function verifyWebhook(
  { headers, body }: WebhookRequest,
  secrets: string | readonly string[],
  now: Date = new Date(),
): Promise<WebhookEvent> {
  const id = header(headers, "webhook-id");
  const timestamp = header(headers, "webhook-timestamp");
  const seconds = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN;
  if (!(Math.abs(now.getTime() / 1000 - seconds) <= TOLERANCE_SECONDS))
    throw new WebhookVerificationError(
      "The request's timestamp is more than 5 minutes off. Check this server's clock.",
    );
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`);
  const signatures = header(headers, "webhook-signature")
    .split(" ")
    .flatMap((one) => (one.startsWith("v1,") ? [bytesOf(one.slice(3))] : []));
  for (const secret of [secrets].flat()) {
    const key = bytesOf(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret);
    if (key.length === 0) throw new TypeError("This is not a webhook secret. Pass the one that begins with whsec_.");
    const hmac = { name: "HMAC", hash: "SHA-256" };
    const imported = await crypto.subtle.importKey("raw", key, hmac, false, ["verify"]);
    // It compares in constant time.
    for (const signature of signatures)
      if (await crypto.subtle.verify("HMAC", imported, signature, signed)) return JSON.parse(text) as WebhookEvent;
  }
  throw new WebhookVerificationError("The signature is wrong. Pass the webhook's secret, and the body as it arrived.");
}

function header(headers: WebhookRequest["headers"], name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? "";
  const found = Object.entries(headers).find(([other]) => other.toLowerCase() === name)?.[1];
  return (Array.isArray(found) ? found[0] : found) ?? "";
}

/** The bytes of base64. Empty if the text is not base64. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}
